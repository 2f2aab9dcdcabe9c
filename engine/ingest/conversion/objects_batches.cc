#include "engine/ingest/conversion/objects_batches.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "engine/ingest/stream/pod_collector.h"
#include "engine/ingest/stream/write/waiting_pod.h"

namespace berth::ingest {
namespace {

// The order of kinds in a cluster. Pods come after what they may need; objects of storage and pod
// groups keep their order.
size_t order_of(const Change& change) {
  constexpr size_t kKinds = std::variant_size_v<model::Object>;
  static_assert(kKinds == 9, "from VolumeObject on, the order of the input stays");
  if (std::holds_alternative<TemplatePod>(change.object)) return kKinds;
  return std::min(change.object.index(), kKinds - 4);
}

bool is_eviction(const Change& change) {
  return std::holds_alternative<model::EvictionRequest>(change.object);
}

}  // namespace

std::deque<Batch> batches_of(Objects objects, Part part) {
  std::vector<Change> cluster, events, evictions;
  PodCollector pods;
  std::ranges::copy_if(objects.others, std::back_inserter(evictions), is_eviction);
  std::erase_if(objects.others, is_eviction);
  if (part == Part::kPods) {
    const auto made = objects.others.end() - static_cast<ptrdiff_t>(objects.made_claims);
    events.assign(std::move_iterator(made), std::move_iterator(objects.others.end()));
  } else {
    cluster = std::move(objects.others);
  }
  for (model::Pod& pod : objects.pods) {
    if (part != Part::kCluster && waits(pod)) {
      pods.add(std::move(pod), 0);
    } else if (part != Part::kPods) {
      cluster.push_back(model::added(TemplatePod::of(std::move(pod))));
    }
  }
  std::ranges::stable_sort(cluster, {}, order_of);
  if (part != Part::kCluster) std::ranges::move(evictions, std::back_inserter(events));
  std::deque<Batch> out;
  if (!cluster.empty()) append_batch(out, BatchKind::kCluster).changes = std::move(cluster);
  if (!events.empty()) append_batch(out, BatchKind::kEvents).changes = std::move(events);
  pods.hand_on(out);
  return out;
}

}  // namespace berth::ingest
