#include "engine/ingest/workloads/expand.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/ingest/admission/pods/match_label_keys.h"
#include "engine/ingest/workloads/made_pods.h"
#include "engine/ingest/workloads/matching.h"
#include "engine/ingest/workloads/pod_names.h"

namespace berth::ingest {
namespace {

using model::Pod;

constexpr std::string_view kHashLabel = "pod-template-hash";

// The ReplicaSet whose template a Deployment has: that of this template, if Berth named it; of
// those that a cluster's controller made, whose hashes cannot be compared, the one with the newest
// pod.
const OwnPods* current_set(const Workload& workload, const std::vector<const OwnPods*>& sets) {
  const OwnPods* current = nullptr;
  std::pair<int64_t, std::string_view> newest;
  for (const OwnPods* set : sets) {
    if (set->controller.name == workload.controller.name) return set;
    const model::Controller& by = set->controller;
    const bool made_here = by.uid == made_uid("ReplicaSet", workload.namespace_name, by.name);
    if (made_here || set->count(OwnState::kActive) == 0) continue;
    std::pair<int64_t, std::string_view> last{0, by.name};
    for (const auto& [id, pod] : set->pods) last.first = std::max(last.first, pod.created_at);
    if (current != nullptr && last <= newest) continue;
    current = set;
    newest = last;
  }
  return current;
}

class Creator {
 public:
  Creator(const Workload& workload, const ExistingPods& existing, Remarks& remarks)
      : workload_(workload), existing_(existing), remarks_(remarks) {
    own_ = existing.of(workload_kind_name(workload.kind), workload.namespace_name, workload.name);
    control(workload.controller);
  }

  std::vector<Pod> pods(std::span<const model::Node> nodes) {
    spare_ = std::max({workload_.pods, workload_.job.completions.value_or(0),
                       static_cast<uint64_t>(nodes.size())});
    switch (workload_.kind) {
      case WorkloadKind::kDeployment:
        deployment();
        break;
      case WorkloadKind::kReplicaSet:
      case WorkloadKind::kReplicationController:
        replicas();
        break;
      case WorkloadKind::kStatefulSet:
        stateful();
        break;
      case WorkloadKind::kDaemonSet:
        daemons(nodes);
        break;
      case WorkloadKind::kJob:
        workload_.job.indexed ? indexed_job() : job();
        break;
    }
    return std::move(pods_);
  }
  // Of a Deployment: the ReplicaSet that it had and that its pods join; null: none.
  const OwnPods* joined() const { return joined_; }
  // The workload as its controller goes on with it. After pods(). Its pod is not admitted.
  model::Workload played() const {
    model::Workload to;
    to.kind = workload_.kind;
    to.name = workload_.name;
    to.namespace_name = workload_.namespace_name;
    to.controller = controller_;
    to.revision = workload_.revision;
    to.replicas = workload_.kind == WorkloadKind::kJob ? workload_.parallelism : workload_.pods;
    to.next_ordinal = spare_;
    to.first_ordinal = workload_.first_ordinal;
    to.parallel = workload_.parallel;
    to.min_ready_seconds = workload_.min_ready_seconds;
    to.rollout = workload_.rollout;
    to.merges_labels = workload_.merge_each;
    to.has_pods = own_ != nullptr || current_ != nullptr;
    to.claims = workload_.claims;
    to.ephemeral_claims = workload_.asked.ephemeral_claims;
    to.job = workload_.job;
    Pod pod = workload_.pod;
    if (workload_.kind == WorkloadKind::kDeployment) set_label(pod.spec.labels, kHashLabel, hash_);
    if (workload_.kind == WorkloadKind::kDaemonSet)
      tolerate_as_daemon(workload_.asked.host_network, pod.spec.tolerations);
    to.pod = std::make_shared<const Pod>(std::move(pod));
    return to;
  }

 private:
  void control(const model::Controller& controller) {
    controller_ = controller;
    seed_ = name_seed(controller, workload_.namespace_name);
  }

  Pod& add(std::string name) {
    Pod& pod = pods_.emplace_back(workload_.pod);
    pod.name = std::move(name);
    pod.controller = controller_;
    return pod;
  }

  // The name of the pod of this ordinal. One that a pod has already is passed over.
  std::string free_name(const std::string& base, uint64_t ordinal) {
    std::string name = generated_name(base, seed_, ordinal);
    while (existing_.has(workload_.namespace_name, name))
      name = generated_name(base, seed_, spare_++);
    return name;
  }

  void say(Remarks::OfWorkloads& kind, uint64_t pods) const {
    kind.add(pods, std::string(workload_kind_name(workload_.kind)) + " " +
                       workload_.namespace_name + "/" + workload_.name);
  }
  // `active` pods exist, and `wanted` are asked for.
  void say_existing(uint64_t active, uint64_t wanted) const {
    say(remarks_.existing, std::min(active, wanted));
    say(remarks_.surplus, active - std::min(active, wanted));
  }
  uint64_t own(OwnState state) const { return own_ == nullptr ? 0 : own_->count(state); }

  void label(Pod& pod,
             std::initializer_list<std::pair<std::string_view, std::string_view>> labels) const {
    set_own_labels(labels, workload_.merge_each, pod);
  }

  // The next pods of a ReplicaSet that has some already.
  void add_after(uint64_t active, uint64_t count) {
    for (uint64_t i = active; i < active + count; ++i) add(free_name(controller_.name + "-", i));
  }

  void replicas() {
    const uint64_t active = own(OwnState::kActive), wanted = workload_.pods;
    say_existing(active, wanted);
    add_after(active, wanted - std::min(active, wanted));
  }

  // Pods of an earlier template leave the others as much room as a rollout's first step.
  void deployment() {
    const auto sets = existing_.replica_sets_of(workload_.namespace_name, workload_.name);
    const OwnPods* current = current_set(workload_, sets);
    uint64_t all = 0;
    for (const OwnPods* set : sets) all += set->count(OwnState::kActive);
    const uint64_t active = current == nullptr ? 0 : current->count(OwnState::kActive);
    const uint64_t wanted = workload_.pods, most = wanted + workload_.surge;
    uint64_t missing = wanted - std::min(active, wanted);
    if (all > active) missing = std::min(missing, most - std::min(all, most));
    say_existing(active, wanted);
    say(remarks_.earlier, all - active);
    hash_ = *label_of(workload_.pod.spec.labels, kHashLabel);
    current_ = current;
    if (current != nullptr) {
      control(current->controller);
      hash_ = current->hash;
      if (controller_.name != workload_.controller.name) joined_ = current;
    }
    add_after(active, missing);
    for (Pod& pod : pods_) label(pod, {{kHashLabel, hash_}});
  }

  // A pod that terminates has its name until it is gone.
  void stateful() {
    uint64_t there = 0;
    for (uint64_t i = 0; i < workload_.pods; ++i) {
      const std::string index = std::to_string(workload_.first_ordinal + static_cast<int64_t>(i));
      std::string name = workload_.name + "-" + index;
      if (existing_.stays(workload_.namespace_name, name)) {
        ++there;
        continue;
      }
      make_stateful(index, workload_.claims, workload_.merge_each, add(std::move(name)));
    }
    say(remarks_.existing, there);
    const uint64_t active = own(OwnState::kActive) + own(OwnState::kTerminating);
    say(remarks_.surplus, active - std::min(active, there));
  }

  // A daemon that terminates keeps its node until it is gone.
  std::set<std::string_view> served_nodes() const {
    std::set<std::string_view> served;
    if (own_ == nullptr) return served;
    for (const auto& [id, pod] : own_->pods)
      if (pod.state == OwnState::kActive || pod.state == OwnState::kTerminating)
        served.insert(pod.place);
    return served;
  }

  void daemons(std::span<const model::Node> nodes) {
    const std::set<std::string_view> served = served_nodes();
    Pod daemon = workload_.pod;
    tolerate_as_daemon(workload_.asked.host_network, daemon.spec.tolerations);
    uint64_t ordinal = 0, there = 0;
    for (const model::Node& node : nodes) {
      const uint64_t number = ordinal++;
      if (!daemon_fits(daemon.spec, node)) continue;
      if (served.contains(node.name)) {
        ++there;
        continue;
      }
      Pod& pod = add(free_name(workload_.name + "-", number));
      pod.spec.tolerations = daemon.spec.tolerations;
      bind_to_node(node.name, pod.spec.affinity);
    }
    say(remarks_.existing, there);
    say(remarks_.surplus, served.size() - there);
  }

  // The number of pods that run at once when so many completions are there.
  uint64_t job_pods(uint64_t succeeded, uint64_t active) const {
    if (workload_.pods == 0) return 0;  // it is over, or suspended
    const uint64_t most = workload_.parallelism;
    if (const auto& completions = workload_.job.completions)
      return std::min(most, *completions - std::min(*completions, succeeded));
    // Of a queue of work: after the first success no pod is created.
    return succeeded == 0 ? most : std::min(most, active);
  }

  void job() {
    const uint64_t active = own(OwnState::kActive);
    const uint64_t succeeded = std::max(workload_.job.succeeded, own(OwnState::kSucceeded));
    const uint64_t wanted = job_pods(succeeded, active);
    say_existing(active, wanted);
    for (uint64_t i = active; i < wanted; ++i) add(free_name(workload_.name + "-", i));
  }

  // The lowest indices that neither run nor are over.
  void indexed_job() {
    std::set<std::string_view> active, over;
    if (own_ != nullptr)
      for (const auto& [id, pod] : own_->pods) {
        if (pod.state == OwnState::kActive) active.insert(pod.place);
        if (pod.state == OwnState::kSucceeded) over.insert(pod.place);
      }
    const uint64_t wanted =
        job_pods(std::max<uint64_t>(workload_.job.succeeded, over.size()), active.size());
    say_existing(active.size(), wanted);
    auto range = workload_.job.over_indices.begin();
    const auto end = workload_.job.over_indices.end();
    for (uint64_t i = 0; i < *workload_.job.completions && active.size() + pods_.size() < wanted;
         ++i) {
      while (range != end && range->second < i) ++range;
      const std::string index = std::to_string(i);
      if (range != end && range->first <= i) {
        i = range->second;
        continue;
      }
      if (active.contains(index) || over.contains(index)) continue;
      Pod& pod = add(free_name(indexed_base(workload_.name, i), i));
      label(pod, {{kIndexLabel, index}});
    }
  }

  const Workload& workload_;
  const ExistingPods& existing_;
  Remarks& remarks_;
  const OwnPods* own_ = nullptr;  // those that name the workload; null: none
  const OwnPods* joined_ = nullptr;
  const OwnPods* current_ = nullptr;  // of a Deployment: the pods that it had
  std::string hash_;                  // of a Deployment: of its pods
  model::Controller controller_;      // of the pods that are made
  uint32_t seed_ = 0;
  uint64_t spare_ = 0;  // an ordinal that no pod has
  std::vector<Pod> pods_;
};

void remark(const Workload& workload, const std::vector<Pod>& pods, Remarks& remarks) {
  for (const Pod& pod : pods) {
    if (workload.asked.with_resource_claims) remarks.with_resource_claims.add(pod);
    if (workload.asked.tolerates_for_a_time) remarks.tolerating_for_a_time.add(pod);
    if (pod.spec.run) remarks.running_for_a_time.add(pod);
    if (!pod.spec.priority && !workload.asked.priority_class.empty())
      remarks.without_priority.add(pod);
  }
}

// The ReplicaSets that the Deployments of an input make. One whose pods join another selects none.
class ReplicaSets {
 public:
  ReplicaSets(Objects& objects, const ExistingPods& existing)
      : objects_(objects), existing_(existing) {}

  void join(const Workload& workload, const OwnPods& set) {
    if (at_.empty()) find_all();
    const auto made = at_.find(workload.namespace_name + "/" + workload.controller.name);
    if (made == at_.end()) return;
    std::string name = workload.namespace_name + "/" + set.controller.name;
    if (existing_.has_set(workload.namespace_name, set.controller.name) || at_.contains(name)) {
      left_out_.insert(made->second);
      return;
    }
    auto& owner = std::get<model::SelectorOwner>(objects_.others[made->second].object);
    owner.name = set.controller.name;
    set_label(owner.selector->match_labels, kHashLabel, set.hash);
  }

  void leave_out() {
    objects_.erase_others_if([&](size_t i) { return left_out_.contains(i); });
  }

 private:
  void find_all() {
    for (size_t i = 0; i < objects_.others.size(); ++i) {
      const auto* owner = std::get_if<model::SelectorOwner>(&objects_.others[i].object);
      if (owner != nullptr && owner->kind == model::SelectorOwnerKind::kReplicaSet)
        at_.emplace(full_name(*owner), i);
    }
  }

  Objects& objects_;
  const ExistingPods& existing_;
  std::unordered_map<std::string, size_t> at_;  // by full name
  std::set<size_t> left_out_;
};

// Makes the claims of a StatefulSet's pods.
class Claims {
 public:
  Claims(Objects& objects, const ClaimNames& existing) : objects_(objects), existing_(existing) {
    model::each<model::VolumeObject>(objects.others, [&](const model::VolumeObject& object) {
      if (std::holds_alternative<model::PersistentVolumeClaim>(object))
        known_.insert(full_name(object));
    });
  }

  void make(const Workload& workload, const std::vector<Pod>& pods) {
    for (const Pod& pod : pods)
      for (const model::PersistentVolumeClaim& from : workload.claims) {
        model::PersistentVolumeClaim claim = claim_of(from, pod);
        std::string name = full_name(claim);
        if (existing_.contains(name) || !known_.insert(std::move(name)).second) continue;
        objects_.others.push_back(model::added(std::move(claim)));
        objects_.lines.others.push_back(workload.line);
        ++objects_.made_claims;
      }
  }

 private:
  Objects& objects_;
  const ClaimNames& existing_;
  ClaimNames known_;
};

}  // namespace

void expand(Objects& objects, std::span<const model::Node> nodes, const ClaimNames& claims,
            ExistingPods& existing, std::vector<model::Workload>* played) {
  if (objects.workloads.empty()) return;
  Objects all;  // its pods alone
  size_t taken = 0;
  const auto take_until = [&](size_t end) {
    for (; taken < end; ++taken) {
      all.pods.push_back(std::move(objects.pods[taken]));
      all.pods_asked.push_back(std::move(objects.pods_asked[taken]));
      all.lines.pods.push_back(objects.lines.pods[taken]);
    }
  };
  const std::vector<Workload> workloads = std::exchange(objects.workloads, {});
  objects.expanded += workloads.size();
  Claims made(objects, claims);
  ReplicaSets sets(objects, existing);
  std::vector<std::vector<Pod>> created;
  for (const Workload& workload : workloads) {
    Creator creator(workload, existing, objects.remarks);
    created.push_back(creator.pods(nodes));
    if (played != nullptr) played->push_back(creator.played());
    if (creator.joined() != nullptr) sets.join(workload, *creator.joined());
    for (const Pod& pod : created.back()) existing.put(pod);
  }
  sets.leave_out();
  for (size_t i = 0; i < workloads.size(); ++i) {
    take_until(workloads[i].before);
    remark(workloads[i], created[i], objects.remarks);
    made.make(workloads[i], created[i]);
    for (Pod& pod : created[i]) {
      all.pods.push_back(std::move(pod));
      all.pods_asked.push_back(workloads[i].asked);
      all.lines.pods.push_back(workloads[i].line);
    }
    created[i] = {};
  }
  take_until(objects.pods.size());
  objects.pods = std::move(all.pods);
  objects.pods_asked = std::move(all.pods_asked);
  objects.lines.pods = std::move(all.lines.pods);
}

model::Workload played_workload(const Workload& workload, const ExistingPods& existing) {
  Remarks none;
  Creator creator(workload, existing, none);
  creator.pods({});
  return creator.played();
}

void expand(Objects& objects, std::span<const model::Node> nodes) {
  ExistingPods existing;
  for (const Pod& pod : objects.pods) existing.put(pod);
  expand(objects, nodes, {}, existing, nullptr);
}

}  // namespace berth::ingest
