#include "loadgen/generate/pods/batch_pods.h"

#include "engine/base/assert.h"
#include "loadgen/generate/nodes.h"

namespace berth::loadgen {

void BatchPods::define(const LoadStep& step) {
  for (const ingest::TemplateDefinition& definition : step.templates) {
    if (definition.id >= templates_.size()) templates_.resize(definition.id + 1);
    templates_[definition.id] = definition.spec;
  }
}

model::Pod BatchPods::pod(const ingest::PodBatch& pods, size_t i) const {
  BERTH_ASSERT(pods.template_ids[i] < templates_.size());
  model::Pod pod;
  pod.spec = *templates_[pods.template_ids[i]];
  pod.namespace_name = pods.namespace_of(i);
  pod.name = pods.names[i];
  if (!pods.uids.empty()) pod.uid = pods.uids[i];
  if (!pods.nominated_nodes.empty()) pod.nominated_node_name = pods.nominated_nodes[i];
  if (!pods.created_at.empty()) pod.created_at = pods.created_at[i];
  if (const model::Controller* controller = pods.controller_of(i)) pod.controller = *controller;
  if (!pods.label_ends.empty())
    for (uint32_t l = i == 0 ? 0 : pods.label_ends[i - 1]; l < pods.label_ends[i]; ++l)
      set_label(pod.spec.labels, std::string(pods.labels[l].first),
                std::string(pods.labels[l].second));
  if (const auto claims = pods.claims_of(i); !claims.empty()) model::put_claims(pod.spec, claims);
  return pod;
}

}  // namespace berth::loadgen
