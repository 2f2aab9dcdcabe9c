#include "engine/ingest/stream/stream.h"

#include <memory>

#include "engine/base/assert.h"

namespace berth::ingest {

void BindingBatch::clear() {
  namespaces.clear();
  names.clear();
  nodes.clear();
}

model::Pod pod_of(const PodBatch& batch, size_t i, const model::PodSpec& spec) {
  model::TemplatePod pod;
  pod.spec = std::shared_ptr<const model::PodSpec>(&spec, [](const model::PodSpec*) {});
  pod.namespace_name = batch.namespace_of(i);
  pod.name = batch.names[i];
  if (!batch.uids.empty()) pod.uid = batch.uids[i];
  if (const model::Controller* controller = batch.controller_of(i)) pod.controller = *controller;
  if (!batch.nominated_nodes.empty()) pod.nominated_node_name = batch.nominated_nodes[i];
  if (!batch.created_at.empty()) pod.created_at = batch.created_at[i];
  if (!batch.label_ends.empty()) {
    for (uint32_t at = i == 0 ? 0 : batch.label_ends[i - 1]; at < batch.label_ends[i]; ++at)
      pod.labels.emplace_back(batch.labels[at].first, batch.labels[at].second);
  }
  for (const std::string_view claim : batch.claims_of(i)) pod.claims.emplace_back(claim);
  return pod.pod();
}

void KnownTemplates::define(std::span<const TemplateDefinition> templates) {
  for (const TemplateDefinition& definition : templates) {
    if (definition.id >= specs_.size()) specs_.resize(definition.id + 1);
    specs_[definition.id] = definition.spec;
  }
}

model::Pod KnownTemplates::pod(const PodBatch& pods, size_t i) const {
  const uint32_t id = pods.template_ids[i];
  BERTH_ASSERT(id < specs_.size());
  model::Pod out = pod_of(pods, i, *specs_[id]);
  out.spec.node_name = specs_[id]->node_name;
  return out;
}

Batch& append_batch(std::deque<Batch>& to, BatchKind kind) {
  Batch& batch = to.emplace_back();
  batch.kind = kind;
  return batch;
}

}  // namespace berth::ingest
