#include "engine/runtime/scheduling/bound_objects.h"

#include <algorithm>
#include <string_view>

namespace berth::runtime {
namespace {

constexpr std::array<std::string_view, 2> kTopology = {"topology.kubernetes.io/zone",
                                                       "topology.kubernetes.io/region"};

void set_label(model::Labels& labels, model::StringId key, model::StringId value) {
  const auto at = std::ranges::lower_bound(labels, key, {}, &model::Labels::value_type::first);
  if (at != labels.end() && at->first == key)
    at->second = value;
  else
    labels.insert(at, {key, value});
}

}  // namespace

// 0: the node does not have the label, or is gone.
BoundObjects::Topology BoundObjects::topology_of(model::Slot slot) {
  Topology values{};
  const model::NodeTable::Node& node = cluster_.nodes().node(slot);
  if (!node.present) return values;
  for (size_t i = 0; i < kTopology.size(); ++i) {
    if (keys_[i] == 0) keys_[i] = cluster_.strings().intern(kTopology[i]);
    values[i] = model::label_value(node.labels, keys_[i]);
  }
  return values;
}

model::LabelSetId BoundObjects::join(model::LabelSetId of, const Topology& with) {
  model::Labels labels = cluster_.templates().labels(of);
  labels.reserve(labels.size() + with.size());
  for (size_t i = 0; i < with.size(); ++i)
    if (with[i] != 0) set_label(labels, keys_[i], with[i]);
  return cluster_.templates().label_set(labels);
}

model::LabelSetId BoundObjects::labels_of(const model::PodRecord& pod) {
  const Topology with = topology_of(pod.slot);
  Joined& known = joined_[(pod.labels * 31 + with[0] * 7 + with[1]) % kKept];
  const uint64_t context = cluster_.shapes().context();
  if (known.context != context || known.of != pod.labels || known.with != with)
    known = {pod.labels, with, join(pod.labels, with), context};
  return known.labels;
}

std::optional<model::PodRecord> BoundObjects::put(model::PodId pod) {
  if (server_ == nullptr) return std::nullopt;
  const BindingEffects effects = server_->binding_effects();
  const model::PodRecord before = cluster_.pod(pod);
  model::PodRecord after = before;
  if (effects.ends_nomination) after.nominated_node = 0;
  if (effects.topology_labels) after.labels = labels_of(before);
  if (after.nominated_node == before.nominated_node && after.labels == before.labels)
    return std::nullopt;
  cluster_.update_pod(pod, after);
  return before;
}

}  // namespace berth::runtime
