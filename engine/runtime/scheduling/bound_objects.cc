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

model::Labels BoundObjects::labels_of(const model::PodRecord& pod) {
  model::Labels labels = cluster_.templates().labels(pod.labels);
  const model::NodeTable::Node& node = cluster_.nodes().node(pod.slot);
  if (!node.present) return labels;
  for (size_t i = 0; i < kTopology.size(); ++i) {
    if (topology_[i] == 0) topology_[i] = cluster_.strings().intern(kTopology[i]);
    if (const model::StringId value = model::label_value(node.labels, topology_[i]))
      set_label(labels, topology_[i], value);
  }
  return labels;
}

std::optional<model::PodRecord> BoundObjects::put(model::PodId pod) {
  if (server_ == nullptr) return std::nullopt;
  const BindingEffects effects = server_->binding_effects();
  const model::PodRecord before = cluster_.pod(pod);
  model::PodRecord after = before;
  if (effects.ends_nomination) after.nominated_node = 0;
  if (effects.topology_labels) after.labels = cluster_.templates().label_set(labels_of(before));
  if (after.nominated_node == before.nominated_node && after.labels == before.labels)
    return std::nullopt;
  cluster_.update_pod(pod, after);
  return before;
}

}  // namespace berth::runtime
