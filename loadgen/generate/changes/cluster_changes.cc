#include "loadgen/generate/changes/cluster_changes.h"

namespace berth::loadgen {

ClusterChanges::ClusterChanges(GeneratedCluster& cluster, OwnedPods& owned,
                               const DaemonSets& daemon_sets, PodTasks& tasks)
    : cluster_(cluster),
      owned_(owned),
      tasks_(tasks),
      nodes_(cluster, daemon_sets, tasks, planned_),
      outages_(cluster, planned_),
      namespaces_(cluster, planned_) {}

void ClusterChanges::begin() {
  for (uint32_t i = 0; i < cluster_.owners.count(); ++i)
    if (cluster_.owners.spec(i).scale) plan_scale(i, 0, 0);
  for (const What what :
       {What::kFail, What::kDrain, What::kNodeLabel, What::kNamespaceCome, What::kNamespaceLabel,
        What::kOutage, What::kZoneOutage, What::kRollingDrain})
    for (uint32_t i = 0; i < churn_of(what).size(); ++i)
      plan_next({.at = 0, .what = what, .of = i, .number = 0});
}

const std::vector<ChurnSpec>& ClusterChanges::churn_of(What what) const {
  const WorkloadSpec& spec = cluster_.spec;
  if (what == What::kFail) return spec.failures;
  if (what == What::kDrain) return spec.drains;
  if (what == What::kNodeLabel) return spec.node_labels;
  if (what == What::kNamespaceCome) return spec.namespaces_come;
  if (what == What::kOutage) return spec.outages;
  if (what == What::kZoneOutage) return spec.zone_outages;
  if (what == What::kRollingDrain) return spec.rolling_drains;
  return spec.namespace_labels;
}

// Plans the change of an owner's replicas that follows the one at `last`; `number` changes were
// before it.
void ClusterChanges::plan_scale(uint32_t owner, int64_t last, uint64_t number) {
  const ScaleSpec& spec = *cluster_.owners.spec(owner).scale;
  const int64_t gap = spec.every.draw(drawn(cluster_.seed, For::kScaleGap, owner, number));
  planned_.add({.at = last + gap, .what = What::kScale, .of = owner, .number = number});
}

// Plans the change of an entry of `churn` that follows `last`. Their numbers begin at 1.
void ClusterChanges::plan_next(const Planned& last) {
  const ChurnSpec& churn = churn_of(last.what)[last.of];
  const int64_t gap = churn.every.draw(drawn_for(cluster_.seed, For::kChurnGap, last));
  planned_.add({.at = last.at + gap, .what = last.what, .of = last.of, .number = last.number + 1});
}

int64_t ClusterChanges::next() const {
  const Planned* const first = planned_.first();
  return first == nullptr ? kNever : first->at;
}

bool ClusterChanges::waits_for_tasks() const {
  const Planned* const first = planned_.first();
  if (tasks_.empty() || first == nullptr) return false;
  if (first->what == What::kFail) return true;
  return first->what == What::kScale && tasks_.makes_pods_of(first->of);
}

void ClusterChanges::happen(LoadStep& step) {
  const Planned change = planned_.take();
  switch (change.what) {
    case What::kScale:
      scale(change, step);
      return plan_scale(change.of, change.at, change.number + 1);
    case What::kFail:
      nodes_.fail(change, step);
      return plan_next(change);
    case What::kRepair:
      return nodes_.repair(change.number, step);
    case What::kDrain:
      nodes_.drain(change, step);
      return plan_next(change);
    case What::kUndrain:
      return nodes_.undrain(change.number, step);
    case What::kNodeLabel:
      nodes_.label(change, step);
      return plan_next(change);
    case What::kNamespaceCome:
      namespaces_.come(change, step);
      return plan_next(change);
    case What::kNamespaceGo:
      return namespaces_.go(change, step);
    case What::kNamespaceLabel:
      namespaces_.label(change, step);
      return plan_next(change);
    case What::kOutage:
      outages_.stop(change, step);
      return plan_next(change);
    case What::kOutageEnd:
      return outages_.go_on(change, step);
    case What::kZoneOutage:
      outages_.stop_zone(change, step);
      return plan_next(change);
    case What::kZoneOutageEnd:
      return outages_.go_on_in_zone(change, step);
    case What::kRollingDrain:
      if (const auto done = outages_.drain(change, step)) plan_next(*done);
      return;
    case What::kRollingReturn:
      return outages_.come_back(change, step);
  }
}

// Deletes the newest pods of an owner, or adds a task that makes new ones.
void ClusterChanges::scale(const Planned& change, LoadStep& step) {
  const ScaleSpec& spec = *cluster_.owners.spec(change.of).scale;
  const uint64_t bits = drawn(cluster_.seed, For::kScaleTo, change.of, change.number + 1);
  const auto wanted = static_cast<size_t>(spec.replicas.draw(bits));
  const size_t missing = owned_.scale(change.of, wanted, step);
  if (missing != 0) tasks_.add_replicas(change.of, missing, true);
}

}  // namespace berth::loadgen
