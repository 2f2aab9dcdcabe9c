#include "engine/played/workloads/workload_controllers.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/ingest/workloads/ephemeral_claims.h"
#include "engine/ingest/workloads/made_pods.h"
#include "engine/model/objects/controller_objects.h"
#include "engine/played/controllers/kubelets/kubelets.h"

namespace berth::played {

bool WorkloadControllers::plays(model::WorkloadKind kind) const {
  using Name = ControllerName;
  switch (kind) {
    case model::WorkloadKind::kDeployment:
    case model::WorkloadKind::kReplicaSet:
      return list_.has(Name::kReplicaSet);
    case model::WorkloadKind::kReplicationController:
      return list_.has(Name::kReplicationController);
    case model::WorkloadKind::kStatefulSet:
      return list_.has(Name::kStatefulSet);
    case model::WorkloadKind::kDaemonSet:
      return list_.has(Name::kDaemonSet);
    case model::WorkloadKind::kJob:
      return list_.has(Name::kJob);
  }
  return false;
}

void WorkloadControllers::object_changed(model::Operation operation, const model::Object& object) {
  const bool gone = operation == model::Operation::kDeleted;
  if (const auto* node = std::get_if<model::Node>(&object)) {
    ++told_;
    return node_changed(node->name, true);
  }
  const auto* boxed = std::get_if<model::ControllerObject>(&object);
  if (boxed == nullptr) return;
  const Key key{boxed->kind, boxed->namespace_name, boxed->name};
  if (gone) return remove(key);
  const auto* workload = std::get_if<model::Workload>(&boxed->data->value);
  if (workload != nullptr && plays(workload->kind)) put(key, *workload);
}

WorkloadControllers::Owner WorkloadControllers::owner_of(const model::Workload& object) {
  model::Strings& strings = core().strings();
  const auto kept = [&](const std::string& text) {
    const model::StringId id = strings.intern_counted(text);
    strings.retain(id);
    return id;
  };
  const uint64_t space = kept(object.namespace_name);
  return {space << 32 | kept(object.controller.name), kept(object.controller.kind)};
}

// The number of a Deployment's pods is its ReplicaSet's once its own controller says so.
void WorkloadControllers::put(const Key& key, const model::Workload& object) {
  ++told_;
  const auto known = workloads_.find(key);
  if (known == workloads_.end()) {
    wake();
    Entry& entry = workloads_[key];
    entry.workload = PlayedWorkload::make(object, *this);
    add_owner(key, entry, object);
    if (entry.workload->reads_nodes()) readers_.insert(key);
    finds_pods_ |= object.has_pods;
    if (object.creates) due_.insert(key);
    return wake_at(key, entry, entry.workload->next());
  }
  if (object.kind == model::WorkloadKind::kDeployment && !list_.has(ControllerName::kDeployment))
    return;
  known->second.workload->put(object);
  add_owner(key, known->second, object);
  if (known->second.workload->reads_nodes()) readers_.insert(key);
  due_.insert(key);
}

void WorkloadControllers::add_owner(const Key& key, Entry& entry, const model::Workload& object) {
  const Owner owner = owner_of(object);
  const auto [at, is_new] = owners_.try_emplace(owner, key);
  if (!is_new) release(owner);  // it is retained already
  if (!is_new && at->second == key) return;
  if (!is_new) std::erase(workloads_.at(std::exchange(at->second, key)).owners, owner);
  entry.owners.push_back(owner);
}

void WorkloadControllers::release(const Owner& owner) {
  model::Strings& strings = core().strings();
  strings.release(static_cast<model::StringId>(owner.first >> 32));
  strings.release(static_cast<model::StringId>(owner.first));
  strings.release(owner.second);
}

// Its pods are deleted as the garbage collector deletes what a gone object owns.
void WorkloadControllers::remove(const Key& key) {
  const auto known = workloads_.find(key);
  if (known == workloads_.end()) return;
  if (finds_pods_) find_pods({});
  Entry& entry = known->second;
  for (const model::PodId pod : entry.workload->active_pods()) deleted_.push_back(pod);
  wake_at(key, entry, std::nullopt);
  for (const Owner& owner : entry.owners) {
    owners_.erase(owner);
    release(owner);
  }
  readers_.erase(key);
  due_.erase(key);
  workloads_.erase(known);
}

void WorkloadControllers::wake_at(const Key& key, Entry& entry, std::optional<Time> when) {
  if (entry.next) waking_.erase({*entry.next, key});
  if (when) waking_.emplace(*when, key);
  entry.next = when;
}

const WorkloadControllers::Key* WorkloadControllers::key_of(const model::PodRecord& pod) const {
  if (owners_.empty() || pod.controller == 0) return nullptr;
  const model::ControllerNames& names = cluster().templates().controller_names(pod.controller);
  const auto at = owners_.find(Owner{uint64_t{pod.namespace_name} << 32 | names.name, names.kind});
  return at == owners_.end() ? nullptr : &at->second;
}

void WorkloadControllers::pod_changed(model::PodId id) {
  const bool may_be_known = finds_pods_;
  if (finds_pods_) find_pods(id);
  const model::PodRecord& pod = cluster().pod(id);
  const Key* key = key_of(pod);
  if (key != nullptr && workloads_.at(*key).workload->pod_changed(pod, may_be_known))
    due_.insert(*key);
}

void WorkloadControllers::pod_disrupted(model::PodId id) {
  const model::PodRecord& pod = cluster().pod(id);
  if (const Key* key = key_of(pod)) workloads_.at(*key).workload->pod_disrupted(pod);
}

void WorkloadControllers::pod_finishes(model::PodId pod, const runtime::PodFinish& finish) {
  if (!owners_.empty()) finish_.emplace(pod, finish);
}

void WorkloadControllers::pod_ends(model::PodId id) {
  if (finds_pods_) find_pods({});
  const auto finish = std::exchange(finish_, std::nullopt);
  const model::PodRecord& pod = cluster().pod(id);
  const Key* key = key_of(pod);
  if (key == nullptr) return;
  const bool finished = finish && finish->first == id;
  if (workloads_.at(*key).workload->pod_ends(pod, finished ? &finish->second : nullptr))
    due_.insert(*key);
}

void WorkloadControllers::node_changed(model::Slot node) {
  if (!readers_.empty()) node_changed(name(node), false);
}

void WorkloadControllers::node_changed(const std::string& name, bool told) {
  for (const Key& key : readers_)
    if (workloads_.at(key).workload->node_changed(name, told)) due_.insert(key);
}

std::optional<Time> WorkloadControllers::next() const {
  if (!due_.empty() || !deleted_.empty()) return now();
  return waking_.empty() ? std::nullopt : std::optional(waking_.begin()->first);
}

// Pods that came before their workloads, but for one that changes just now. Those that are known
// are not counted again.
void WorkloadControllers::find_pods(model::PodId but) {
  finds_pods_ = false;
  cluster().pods().for_each([&](const model::PodRecord& pod) {
    if (pod.id == but) return;
    if (const Key* key = key_of(pod)) workloads_.at(*key).workload->pod_changed(pod, false);
  });
}

void WorkloadControllers::run_due() {
  const std::optional<Time> due = next();
  if (!due || *due > now()) return;
  if (finds_pods_) find_pods({});
  while (!waking_.empty() && waking_.begin()->first <= now()) {
    const Key key = waking_.begin()->second;
    wake_at(key, workloads_.at(key), std::nullopt);
    due_.insert(key);
  }
  for (const Key& key : std::exchange(due_, {})) act(key);
  for (const model::PodId pod : std::exchange(deleted_, {})) {
    if (!cluster().pods().contains(pod)) continue;
    // Nothing ends it that could take time.
    const bool waits = !cluster().pod(pod).placed();
    evictor_.delete_within(pod, waits ? std::optional<int64_t>(0) : std::nullopt, {});
  }
  if (!created_.empty()) create_pods();
}

void WorkloadControllers::create_pods() {
  const std::vector<model::Pod> created = std::exchange(created_, {});
  core().door().create(created);
  if (kubelets_ == nullptr) return;
  for (const model::Pod& pod : created)
    if (pod.bound())
      if (const model::PodId id = cluster().find_pod(pod.namespace_name, pod.name))
        kubelets_->pod_starts(id);
}

void WorkloadControllers::act(const Key& key) {
  Entry& entry = workloads_.at(key);
  if (entry.told != told_) entry.made = 0;
  entry.told = told_;
  acting_ = &entry;
  entry.workload->act();
  acting_ = nullptr;
  wake_at(key, entry, entry.workload->next());
}

std::string WorkloadControllers::free_name(const model::Workload& of, uint64_t& next,
                                           uint64_t index) {
  while (true) {
    std::string name = ingest::suffixed_name(of, next++, index);
    if (!cluster().find_pod(of.namespace_name, name)) return name;
  }
}

void WorkloadControllers::create(const model::Workload& of, model::Pod pod) {
  BERTH_ASSERT(acting_ != nullptr);
  const uint64_t most = of.replicas * kMostRounds + kFewPods;
  if (acting_->made == most)
    core().diagnostics().report(
        Error(Place{.file = {}, .field = of.namespace_name + "/" + of.name},
              "loses its pods again and again: after " + std::to_string(most) +
                  " of them it gets no more until a node or a workload changes in the input"));
  if (acting_->made++ >= most) return;
  if (cluster().find_pod(pod.namespace_name, pod.name)) return;  // another's, by its name
  create_claims(of, pod);
  created_.push_back(std::move(pod));
}

void WorkloadControllers::create_claims(const model::Workload& of, model::Pod& pod) {
  const auto put = [&](const model::PersistentVolumeClaim& claim) {
    const model::StringId space = cluster().strings().find(claim.namespace_name),
                          name = cluster().strings().find(claim.name);
    if (space == 0 || name == 0 || !cluster().volumes().claim_object(space, name))
      core().door().put(claim);
  };
  for (const model::PersistentVolumeClaim& from : of.claims) put(ingest::claim_of(from, pod));
  if (of.ephemeral_claims.empty()) return;
  ingest::PodAsked asked;
  asked.ephemeral_claims = of.ephemeral_claims;
  for (const model::PersistentVolumeClaim& claim : ingest::ephemeral_claims(pod, asked)) put(claim);
}

}  // namespace berth::played
