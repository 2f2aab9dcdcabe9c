#include "loadgen/generate/placed_pods.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "engine/model/objects/pod_requests.h"
#include "loadgen/generate/draws/draws.h"

namespace berth::loadgen {
namespace {

// The rest of a node's resources.
class Room {
 public:
  explicit Room(const model::ResourceList& allocatable) : allocatable_(allocatable) {}

  // Takes the requests of a pod; false, and nothing is taken, if they do not fit.
  bool take(const model::ResourceList& requests) {
    std::map<std::string, model::Quantity> sum = used_;
    for (const auto& [resource, amount] : requests) sum[resource] += amount;
    sum["pods"] += model::Quantity::from_units(1);
    for (const auto& [resource, amount] : sum) {
      const auto has =
          std::ranges::find(allocatable_, resource, &model::ResourceList::value_type::first);
      if (!amount.zero() && (has == allocatable_.end() || has->second < amount)) return false;
    }
    used_ = std::move(sum);
    return true;
  }

 private:
  const model::ResourceList& allocatable_;
  std::map<std::string, model::Quantity> used_;
};

}  // namespace

void PlacedPods::add(uint64_t node, LoadStep& step) {
  const model::Node on = cluster_.nodes.first(node);
  Room room(on.allocatable);
  for (uint32_t i = 0; i < cluster_.spec.placed.size(); ++i) {
    const int64_t wanted =
        cluster_.spec.placed[i].per_node.draw(drawn(cluster_.seed, For::kPlaced, i, node));
    for (int64_t n = 0; n < wanted; ++n) {
      Drawn next = draw(i);
      if (!room.take(model::pod_requests(*next.pod.spec).requests)) break;
      place(std::move(next), on.name, node, step);
    }
  }
}

// Draws the next pod of an entry of `placed`.
PlacedPods::Drawn PlacedPods::draw(uint32_t placed) const {
  Drawn next;
  next.bits = drawn(cluster_.seed, For::kTemplate, placed, count_ | uint64_t{1} << 63);
  next.pod_template = cluster_.spec.placed[placed].templates.choose(next.bits);
  next.variant = cluster_.templates.variant(next.pod_template, mix(next.bits));
  const std::string& name = cluster_.spec.templates[next.pod_template].name;
  next.pod.name = fmt::format("{}-placed-{:07}", name, count_);
  next.claims = cluster_.claims.has(next.pod_template, next.pod.name);
  next.pod.spec = cluster_.templates.spec(next.pod_template, next.variant, next.claims);
  return next;
}

void PlacedPods::place(Drawn next, const std::string& node_name, uint64_t node, LoadStep& step) {
  ++count_;
  ingest::TemplatePod& pod = next.pod;
  pod.template_id = cluster_.templates.id(next.pod_template, next.variant, next.claims, step);
  const uint32_t space =
      cluster_.namespaces.choose(cluster_.spec.templates[next.pod_template].namespaces, next.bits);
  pod.namespace_name = cluster_.namespaces.name(space);
  if (next.claims) cluster_.claims.place(next.pod_template, node, pod, step);
  pod.node_name = node_name;
  pod.phase = model::PodPhase::kRunning;
  step.cluster.push_back(model::added(std::move(pod)));
}

}  // namespace berth::loadgen
