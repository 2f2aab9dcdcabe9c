#include "loadgen/arriving_pods.h"

namespace berth::loadgen {

ArrivingPods::Text ArrivingPods::keep(std::string_view text) {
  const Text kept{step_.texts.size(), text.size()};
  step_.texts.insert(step_.texts.end(), text.begin(), text.end());
  return kept;
}

uint32_t ArrivingPods::number_of(std::string_view namespace_name) {
  const auto next = static_cast<uint32_t>(namespaces_.size());
  const auto [at, fresh] = namespace_numbers_.try_emplace(std::string(namespace_name), next);
  if (fresh) namespaces_.push_back(keep(namespace_name));
  return at->second;
}

void ArrivingPods::add(const ArrivingPod& pod) {
  ingest::PodBatch& pods = step_.pods;
  pods.template_ids.push_back(pod.template_id);
  pods.namespace_indices.push_back(number_of(pod.namespace_name));
  names_.push_back(keep(pod.name));
  uids_.push_back(keep(pod.uid));
  nominated_.push_back(keep(pod.nominated_node));
  any_uid_ |= !pod.uid.empty();
  any_nominated_ |= !pod.nominated_node.empty();
  for (const auto& [key, value] : pod.labels) {
    const Text kept = keep(key);
    labels_.emplace_back(kept, keep(value));
  }
  pods.label_ends.push_back(static_cast<uint32_t>(labels_.size()));
  uint32_t controller = 0;
  if (pod.controller != nullptr) {
    const model::Controller& own = *pod.controller;
    const auto next = static_cast<uint32_t>(pods.controllers.size() + 1);
    const auto [at, fresh] = controller_numbers_.try_emplace(
        own.api_version + '\0' + own.kind + '\0' + own.name + '\0' + own.uid, next);
    if (fresh) pods.controllers.push_back(own);
    controller = at->second;
  }
  pods.controller_indices.push_back(controller);
  step_.planned.push_back(pod.planned);
}

void ArrivingPods::finish() {
  ingest::PodBatch& pods = step_.pods;
  for (const Text& text : namespaces_) pods.namespaces.push_back(view(text));
  for (const Text& text : names_) pods.names.push_back(view(text));
  if (any_uid_) {
    for (const Text& text : uids_) pods.uids.push_back(view(text));
  }
  if (any_nominated_) {
    for (const Text& text : nominated_) pods.nominated_nodes.push_back(view(text));
  }
  for (const auto& [key, value] : labels_) pods.labels.emplace_back(view(key), view(value));
  if (labels_.empty()) pods.label_ends.clear();
  if (pods.controllers.empty()) pods.controller_indices.clear();
}

}  // namespace berth::loadgen
