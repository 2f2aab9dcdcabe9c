#include "engine/conformance/controllers/eviction/eviction_cluster.h"

#include <algorithm>
#include <chrono>

#include "engine/base/assert.h"

namespace berth::conformance {
namespace {

using controllers::Budget;
using controllers::Condition;

EvictionCluster::Name key_of(const StoredPod& pod) {
  return {pod.object.namespace_name, pod.object.name};
}

// Since when the condition may be stale.
std::optional<Time> disrupted_since(const EvictionCluster::Pod& pod) {
  const auto& condition = pod.disruption_target;
  const bool counts = condition && condition->status == "True" &&
                      condition->reason != "TerminationByKubelet" && !pod.deletion &&
                      !pod.object.finished();
  return counts ? std::optional(condition->transition) : std::nullopt;
}

bool reads_the_same(const EvictionCluster::Pod& a, const EvictionCluster::Pod& b) {
  return a.object.phase == b.object.phase && a.object.spec.labels == b.object.spec.labels &&
         a.ready == b.ready && a.disruption_target == b.disruption_target &&
         a.deletion == b.deletion;
}

void put_target(std::optional<Condition>& target, Condition condition) {
  std::vector<Condition> conditions;
  if (target) conditions.push_back(std::move(*target));
  controllers::put(conditions, std::move(condition));
  target = std::move(conditions.front());
}

}  // namespace

// The pod that a request names.
class EvictionCluster::Target final : public controllers::EvictionTarget {
 public:
  Target(EvictionCluster& cluster, const Name& name, Time now)
      : cluster_(cluster), name_(name), now_(now) {}

  std::optional<controllers::EvictablePod> read() const override {
    const Pod* pod = cluster_.find_pod(name_);
    if (pod == nullptr) return std::nullopt;
    return controllers::EvictablePod{pod->object.uid, std::to_string(pod->version),
                                     pod->object.phase, pod->ready, pod->deletion.has_value()};
  }

  std::vector<const Budget*> budgets() const override {
    const Pod* pod = cluster_.find_pod(name_);
    BERTH_ASSERT(pod != nullptr);
    std::vector<const Budget*> budgets;
    for (const auto& [name, budget] : cluster_.budgets_)
      if (name.first == name_.first &&
          cluster_.selectors_.matches(cluster_.selectors_.of(budget.spec.selector), pod->labels))
        budgets.push_back(&budget);
    return budgets;
  }

  void write_status(const Budget& budget) override { cluster_.put_budget(budget, now_); }
  void put_condition(Condition condition) override {
    cluster_.change_pod(name_, now_,
                        [&](Pod& pod) { put_target(pod.disruption_target, std::move(condition)); });
  }
  void remove(std::optional<int64_t> grace_seconds) override {
    cluster_.delete_pod(name_, grace_seconds, now_);
  }

 private:
  EvictionCluster& cluster_;
  const Name& name_;
  Time now_;
};

EvictionCluster::EvictionCluster()
    : scales_({{"example.com", "v1", "CustomSet", "customsets", true}}) {}

void EvictionCluster::put_pod(StoredPod stored, Time now) {
  Pod pod{std::move(stored)};
  pod.version = ++version_;
  pod.labels = model::intern_labels(strings_, pod.object.spec.labels);
  model::retain(strings_, pod.labels);
  tell(pods_.insert_or_assign(key_of(pod), std::move(pod)).first->second, now);
}

void EvictionCluster::put_budget(const Budget& budget, Time now) {
  budgets_.insert_or_assign({budget.namespace_name, budget.name}, budget);
  if (controller_) controller_->budget_changed(budget, now);
}

void EvictionCluster::remove_budget(const Name& name) {
  budgets_.erase(name);
  if (controller_) controller_->budget_gone(name.first, name.second);
}

void EvictionCluster::scale(std::string_view kind, const Name& name, int32_t replicas) {
  for (const std::string_view group : {"", "apps", "example.com"}) {
    const controllers::Workload* found = scales_.find(group, kind, name.first, name.second);
    if (found == nullptr) continue;
    controllers::Workload scaled = *found;
    scaled.replicas = replicas;
    scales_.put(std::move(scaled));
  }
}

const EvictionCluster::Pod* EvictionCluster::find_pod(const Name& name) const {
  const auto at = pods_.find(name);
  return at == pods_.end() ? nullptr : &at->second;
}

const Budget* EvictionCluster::find_budget(const Name& name) const {
  const auto at = budgets_.find(name);
  return at == budgets_.end() ? nullptr : &at->second;
}

void EvictionCluster::update(Pod& stored, Pod pod, Time now) {
  if (reads_the_same(stored, pod)) return;
  pod.version = ++version_;
  pod.labels = model::intern_labels(strings_, pod.object.spec.labels);
  model::retain(strings_, pod.labels);
  stored = std::move(pod);
  tell(stored, now);
}

void EvictionCluster::tell(const Pod& pod, Time now) {
  if (!controller_) return;
  controllers::PodView view;
  view.namespace_name = strings_.intern(pod.object.namespace_name);
  view.name = strings_.intern(pod.object.name);
  view.labels = &pod.labels;
  view.owner = pod.object.controller ? &*pod.object.controller : nullptr;
  view.ready = pod.ready;
  view.terminating = pod.deletion.has_value();
  view.disrupted_since = disrupted_since(pod);
  controller_->pod_changed(view, now);
}

void EvictionCluster::remove(const Name& name, Time now) {
  gone_.push_back(name);
  pods_.erase(name);
  if (controller_)
    controller_->pod_gone(strings_.intern(name.first), strings_.intern(name.second), now);
}

void EvictionCluster::delete_pod(const Name& name, std::optional<int64_t> grace_seconds, Time now) {
  const Pod* pod = find_pod(name);
  if (pod == nullptr) return;
  const controllers::DeletionOutcome outcome = controllers::delete_gracefully(
      {.deletion = pod->deletion,
       .termination_grace_seconds = pod->object.spec.termination_grace_seconds.value_or(0),
       .bound = pod->object.bound(),
       .finished = pod->object.finished()},
      grace_seconds, now);
  if (outcome.gone) return remove(name, now);
  if (!outcome.deletion) return;
  const Time end = now + std::chrono::seconds(outcome.deletion->grace_seconds);
  change_pod(name, now, [&](Pod& deleted) {
    deleted.deletion = outcome.deletion;
    deleted.leaves = deleted.leaves ? std::min(*deleted.leaves, end) : end;
  });
}

controllers::ApiStatus EvictionCluster::evict(const Name& name,
                                              const controllers::EvictionRequest& request,
                                              Time now) {
  Target target(*this, name, now);
  return controllers::evict(request, target, now);
}

void EvictionCluster::run_controller(bool running, Time now) {
  controller_.reset();
  if (!running) return;
  controllers::DisruptionWriter& writer = *this;
  controller_.emplace(strings_, selectors_, scales_, writer);
  for (const auto& [name, budget] : budgets_) controller_->budget_changed(budget, now);
  for (const auto& [name, pod] : pods_) tell(pod, now);
}

std::optional<Time> EvictionCluster::next() const {
  std::optional<Time> first = controller_ ? controller_->next() : std::nullopt;
  for (const auto& [name, pod] : pods_)
    if (pod.leaves && (!first || *pod.leaves < *first)) first = pod.leaves;
  return first;
}

void EvictionCluster::run_kubelets(Time now) {
  std::vector<Name> leaving;
  for (const auto& [name, pod] : pods_)
    if (pod.leaves && *pod.leaves <= now) leaving.push_back(name);
  for (const Name& name : leaving) remove(name, now);
}

void EvictionCluster::settle(Time now) {
  now_ = now;
  if (controller_) controller_->run_due(now);
}

void EvictionCluster::write_status(const Budget& budget) { put_budget(budget, now_); }

void EvictionCluster::clear_disruption_target(model::StringId namespace_name,
                                              model::StringId name) {
  const Name pod(strings_.text(namespace_name), strings_.text(name));
  change_pod(pod, now_, [&](Pod& cleared) {
    put_target(cleared.disruption_target,
               {"DisruptionTarget", "False", "", "", controllers::whole_seconds(now_)});
  });
}

}  // namespace berth::conformance
