#include "engine/ingest/objects/remarks.h"

#include <algorithm>
#include <utility>

namespace berth::ingest {

void Remarks::Named::add(std::string name) {
  ++count;
  if (examples.size() < kExamples) examples.push_back(std::move(name));
}

void Remarks::Named::add(const model::Pod& pod) { add(pod.namespace_name + "/" + pod.name); }

void Remarks::Named::add(const Named& more) {
  count += more.count;
  for (const std::string& example : more.examples)
    if (examples.size() < kExamples) examples.push_back(example);
}

void Remarks::OfWorkloads::add(uint64_t count, std::string workload) {
  if (count == 0) return;
  pods += count;
  ++workloads;
  if (examples.size() < kExamples) examples.push_back(std::move(workload));
}

void Remarks::OfWorkloads::add(const OfWorkloads& more) {
  pods += more.pods;
  workloads += more.workloads;
  for (const std::string& example : more.examples)
    if (examples.size() < kExamples) examples.push_back(example);
}

void Remarks::add_unknown_field(std::string path, Error first, uint64_t count) {
  unknown_field_occurrences += count;
  const auto known = std::ranges::find(unknown_fields, path, &Field::path);
  if (known != unknown_fields.end()) {
    known->count += count;
  } else if (unknown_fields.size() < kMostFields) {
    unknown_fields.push_back({std::move(path), count, std::move(first)});
  }
}

void Remarks::add_workloads(const Remarks& more) {
  existing.add(more.existing);
  surplus.add(more.surplus);
  earlier.add(more.earlier);
  missing.add(more.missing);
}

void Remarks::add(const Remarks& more) {
  with_resource_claims.add(more.with_resource_claims);
  without_priority.add(more.without_priority);
  cron_jobs.add(more.cron_jobs);
  budgets_without_status.add(more.budgets_without_status);
  budgets_with_status.add(more.budgets_with_status);
  tolerating_for_a_time.add(more.tolerating_for_a_time);
  running_for_a_time.add(more.running_for_a_time);
  untainted_nodes.add(more.untainted_nodes);
  drained_nodes.add(more.drained_nodes);
  silent_nodes.add(more.silent_nodes);
  empty_nodes.add(more.empty_nodes);
  of_kubelets.add(more.of_kubelets);
  unread_kubelet_fields.insert(more.unread_kubelet_fields.begin(),
                               more.unread_kubelet_fields.end());
  unread_usage.insert(more.unread_usage.begin(), more.unread_usage.end());
  changed_workloads.add(more.changed_workloads);
  unplayed_workloads.add(more.unplayed_workloads);
  workloads_beyond_quotas.add(more.workloads_beyond_quotas);
  for (const auto& [kind, count] : more.unread_kinds) unread_kinds[kind] += count;
  for (const auto& [kind, first] : more.near_kinds)
    if (near_kinds.size() < kMostFields) near_kinds.try_emplace(kind, first);
  add_workloads(more);
  const uint64_t occurrences = unknown_field_occurrences + more.unknown_field_occurrences;
  for (const Field& field : more.unknown_fields)
    add_unknown_field(field.path, field.first, field.count);
  unknown_field_occurrences = occurrences;
}

}  // namespace berth::ingest
