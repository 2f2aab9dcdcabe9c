// Pods of a stream, which come as batches of rows that name a template.

#include <algorithm>
#include <span>

#include "engine/runtime/intake/intake.h"

namespace berth::runtime {

// The template's labels with the pod's own over them.
model::LabelSetId Intake::labels_of(const Template& t, const model::PodBatch& pods, size_t pod) {
  if (pods.label_ends.empty()) return t.labels;
  size_t begin = pod == 0 ? 0 : pods.label_ends[pod - 1];
  size_t end = pods.label_ends[pod];
  if (begin == end) return t.labels;
  merged_ = cluster_.templates().labels(t.labels);
  for (size_t i = begin; i < end; ++i) {
    const auto& [key, value] = pods.labels[i];
    const std::pair label(cluster_.strings().intern_counted(key),
                          cluster_.strings().intern_counted(value));
    const auto at = std::ranges::lower_bound(merged_, label.first, {}, &decltype(label)::first);
    if (at != merged_.end() && at->first == label.first) {
      at->second = label.second;
    } else {
      merged_.insert(at, label);
    }
  }
  return cluster_.templates().label_set(merged_);
}

model::TemplateId Intake::template_with_claims(const Template& t, const model::PodBatch& pods,
                                               size_t pod) {
  model::Pod named;
  named.namespace_name = pods.namespace_of(pod);
  named.name = pods.names[pod];
  if (!pods.uids.empty()) named.uid = pods.uids[pod];
  named.spec = *t.spec;
  if (const auto own = pods.claims_of(pod); !own.empty()) model::put_claims(named.spec, own);
  return cluster_.template_of(named);
}

bool Intake::same_shape(const model::PodRecord& a, const model::PodRecord& b) {
  return a.pod_template == b.pod_template && a.labels == b.labels &&
         a.namespace_name == b.namespace_name && a.controller == b.controller;
}

void Intake::expect_names(const model::PodBatch& pods, size_t begin) {
  if (pods.name_hashes.empty()) return;
  const size_t count = std::min(kExpected, pods.size() - begin);
  static_cast<void>(
      cluster_.strings().expect(std::span<const std::string_view>(pods.names).subspan(begin, count),
                                std::span(pods.name_hashes).subspan(begin, count)));
}

model::PodId Intake::add_again(const model::PodRecord& record, const Template& t,
                               const model::PodBatch& pods, size_t pod) {
  if (cluster_.text(record.uid).empty()) {
    reject_requested(record);
    return {};
  }
  const model::Pod object = ingest::pod_of(pods, pod, *t.spec);
  const model::PodId before = cluster_.pods().find(record.namespace_name, record.name);
  if (const model::PodId known = known_pod(object)) {
    --counts_.work;
    update_known_pod(known, object);
    return {};
  }
  std::erase(*waiting_, before);  // it may have come with the same batch
  model::PodRecord fresh = record;
  fresh.shape = 0;  // that of a neighbour, which may be the one that went
  return add_requested(fresh);
}

void Intake::add_work(const model::PodBatch& pods, const Origin& from,
                      std::vector<model::PodId>& waiting) {
  from_ = from;
  waiting_ = &waiting;
  counts_.work += pods.size();
  std::vector<model::StringId> namespaces;
  for (std::string_view name : pods.namespaces)
    namespaces.push_back(cluster_.strings().intern_counted(name));
  std::vector<model::ControllerId> controllers;
  for (const model::Controller& controller : pods.controllers)
    controllers.push_back(cluster_.templates().controller(controller));
  // Neighbours are mostly of one shape, which is in use as long as the first of them is there.
  model::PodRecord previous;
  for (size_t i = 0; i < pods.size(); ++i) {
    if (i % kExpected == 0) expect_names(pods, i);
    index_ = i;
    const Template& t = templates_[pods.template_ids[i]];
    model::PodRecord record;
    record.pod_template = t.claims ? template_with_claims(t, pods, i) : t.id;
    record.labels = labels_of(t, pods, i);
    record.namespace_name = namespaces[pods.namespace_indices[i]];
    record.name = pods.name_hashes.empty()
                      ? cluster_.strings().intern_counted(pods.names[i])
                      : cluster_.strings().intern_counted(pods.names[i], pods.name_hashes[i]);
    if (!pods.uids.empty()) record.uid = cluster_.strings().intern_counted(pods.uids[i]);
    if (!pods.nominated_nodes.empty() && !pods.nominated_nodes[i].empty())
      record.nominated_node = cluster_.strings().intern_counted(pods.nominated_nodes[i]);
    if (!pods.created_at.empty()) record.created_at = pods.created_at[i];
    if (!pods.controller_indices.empty() && pods.controller_indices[i] != 0)
      record.controller = controllers[pods.controller_indices[i] - 1];
    if (previous.shape != 0 && same_shape(previous, record)) record.shape = previous.shape;
    model::PodId id = add_requested(record);
    if (!id) {
      id = add_again(record, t, pods, i);
      previous = {};
    }
    if (!id) continue;
    previous = cluster_.pod(id);
    if (t.placed) {
      ++counts_.already_placed;
      place(id, t.spec->node_name);
      turn_away(TurnedAway::Why::kPlaced, id, t.spec->node_name);
    } else {
      waiting.push_back(id);
    }
  }
}

}  // namespace berth::runtime
