#include "engine/model/objects/pod_batch.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace berth::model {
namespace {

// Both are sorted by key; where both have a key, the first one's value stays.
StringMap merged(const StringMap& first, const StringMap& second) {
  StringMap out;
  out.reserve(first.size() + second.size());
  std::set_union(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(out),
                 [](const auto& a, const auto& b) { return a.first < b.first; });
  return out;
}

}  // namespace

size_t own_claims(const PodSpec& spec) {
  return static_cast<size_t>(std::ranges::count_if(
      spec.volumes, [](const PodVolume& volume) { return volume.is_claim && !volume.ephemeral; }));
}

Pod TemplatePod::pod() const {
  Pod out;
  out.name = name;
  out.namespace_name = namespace_name;
  out.uid = uid;
  out.controller = controller;
  if (spec != nullptr) {
    out.spec = *spec;
    out.spec.labels = merged(labels, spec->labels);
    if (!claims.empty()) put_claims(out.spec, claims);
  }
  out.spec.node_name = node_name;
  out.phase = phase;
  out.nominated_node_name = nominated_node_name;
  out.terminating = terminating;
  out.preempted = preempted;
  out.ready = ready;
  out.created_at = created_at;
  out.started_at = started_at;
  return out;
}

TemplatePod TemplatePod::of(Pod pod) {
  TemplatePod out;
  out.namespace_name = std::move(pod.namespace_name);
  out.name = std::move(pod.name);
  out.uid = std::move(pod.uid);
  out.controller = std::move(pod.controller);
  out.node_name = std::exchange(pod.spec.node_name, {});
  out.phase = pod.phase;
  out.nominated_node_name = std::move(pod.nominated_node_name);
  out.terminating = pod.terminating;
  out.preempted = pod.preempted;
  out.ready = pod.ready;
  out.created_at = pod.created_at;
  out.started_at = pod.started_at;
  out.spec = std::make_shared<const PodSpec>(std::move(pod.spec));
  return out;
}

TemplatePod TemplatePod::named(std::string namespace_name, std::string name) {
  TemplatePod out;
  out.namespace_name = std::move(namespace_name);
  out.name = std::move(name);
  return out;
}

void PodBatch::clear() {
  template_ids.clear();
  namespace_indices.clear();
  namespaces.clear();
  names.clear();
  name_hashes.clear();
  uids.clear();
  nominated_nodes.clear();
  created_at.clear();
  label_ends.clear();
  labels.clear();
  claim_ends.clear();
  claims.clear();
  controllers.clear();
  controller_indices.clear();
}

}  // namespace berth::model
