// ReplicaSets, StatefulSets and Jobs; others have files of their own.

#include <algorithm>
#include <set>
#include <utility>

#include "engine/controllers/workloads/job.h"
#include "engine/controllers/workloads/stateful.h"
#include "engine/ingest/workloads/made_pods.h"
#include "engine/played/workloads/daemon_set.h"
#include "engine/played/workloads/deployment.h"
#include "engine/played/workloads/played_workload.h"

namespace berth::played {
namespace {

// Also a ReplicationController.
class ReplicaSet final : public PlayedWorkload {
 public:
  ReplicaSet(model::Workload object, WorkloadMeans& means)
      : PlayedWorkload(std::move(object), means) {}

  void act() override {
    for (uint64_t i = active(); i < replicas(); ++i)
      create(ingest::replica_pod(object(), free_name()));
    if (scaled() && active() > replicas()) give_up(active() - replicas(), false);
  }

 private:
  bool terminates(const OwnPod&) override { return true; }
  bool ended(const OwnPod& pod, const model::PodRecord&, const runtime::PodFinish*) override {
    return !pod.terminating;
  }
};

class StatefulSet final : public PlayedWorkload {
 public:
  StatefulSet(model::Workload object, WorkloadMeans& means)
      : PlayedWorkload(std::move(object), means) {}

  void act() override {
    std::vector<controllers::StatefulPod> there;
    std::vector<const OwnPod*> own;
    for (const OwnPod* pod : sorted_pods())
      if (pod->number >= 0) own.push_back(pod);
    std::ranges::sort(own, {}, [](const OwnPod* pod) { return pod->number; });
    next_.reset();
    for (const OwnPod* pod : own) there.push_back({pod->number, counts(*pod), pod->terminating});
    const std::vector<int64_t> wanted = wanted_ordinals();
    waits_ = !std::ranges::equal(wanted, there, [](int64_t ordinal, const auto& pod) {
      return ordinal == pod.ordinal && pod.ready && !pod.terminating;
    });
    for (const auto& step : controllers::stateful_steps(wanted, there, object().parallel)) {
      if (step.creates) {
        create(ingest::stateful_pod(object(), step.ordinal));
      } else {
        remove(
            **std::ranges::find(own, step.ordinal, [](const OwnPod* pod) { return pod->number; }));
      }
    }
  }
  std::optional<Time> next() const override { return next_; }
  bool reads_nodes() const override { return true; }
  bool node_changed(const std::string&, bool) override { return waits_; }

 private:
  // True if the pod has been ready for as long as the object asks. Notes when a ready one has been.
  bool counts(const OwnPod& pod) {
    const std::optional<Time> from = available_from(pod);
    if (!from || *from <= means().now()) return from.has_value();
    if (!pod.terminating && (!next_ || *from < *next_)) next_ = from;
    return false;
  }
  std::vector<int64_t> wanted_ordinals() const {
    const int64_t first = object().first_ordinal;
    const int64_t end = first + static_cast<int64_t>(object().replicas);
    std::vector<int64_t> wanted;
    if (scaled()) {
      for (int64_t i = first; i < end; ++i) wanted.push_back(i);
    } else {
      wanted.assign(seen_.begin(), seen_.end());
    }
    return wanted;
  }
  bool came(const OwnPod& pod, const model::PodRecord&) override {
    if (pod.number >= 0) seen_.insert(pod.number);
    return waits_;
  }
  bool was_bound() override { return waits_; }
  bool terminates(const OwnPod&) override { return true; }
  bool ended(const OwnPod&, const model::PodRecord&, const runtime::PodFinish*) override {
    return true;
  }

  std::set<int64_t> seen_;    // ordinals of pods that were there
  bool waits_ = false;        // there is more to do when pods become ready
  std::optional<Time> next_;  // when one has been ready for long enough
};

class Job final : public PlayedWorkload {
 public:
  Job(model::Workload object, WorkloadMeans& means)
      : PlayedWorkload(std::move(object), means), rules_(this->object().job, means.now()) {
    for (const model::Container& container : this->object().pod->spec.containers)
      containers_.push_back(container.name);
    if (this->object().job.active_deadline_seconds) next_ = means.now();
  }

  void act() override {
    controllers::JobPods there{.active = active(), .terminating = pods().size() - active()};
    if (object().job.indexed)
      for (const auto& [handle, pod] : pods())
        if (pod.number >= 0)
          (pod.terminating ? there.terminating_indices : there.active_indices)
              .insert(static_cast<uint64_t>(pod.number));
    const controllers::JobPlan plan = rules_.plan(there, replicas(), means().now());
    next_ = plan.again;
    if (plan.deletions != 0) give_up(plan.deletions, true);
    for (const uint64_t index : plan.indices)
      create(ingest::indexed_pod(object(), free_name(index), index));
    if (!plan.indices.empty()) return;
    for (uint64_t i = 0; i < plan.creations; ++i)
      create(ingest::replica_pod(object(), free_name()));
  }
  std::optional<Time> next() const override { return next_; }

 private:
  // Without a rule for it, a pod that terminates has failed.
  bool terminates(const OwnPod& pod) override {
    if (!rules_.spec().replaces_failed_alone && !pod.given_up) fails(pod, nullptr);
    return true;
  }
  bool ended(const OwnPod& pod, const model::PodRecord&,
             const runtime::PodFinish* finish) override {
    const bool counted = pod.terminating && !rules_.spec().replaces_failed_alone;
    if (pod.given_up || counted) return true;
    if (finish != nullptr && finish->succeeded) {
      rules_.succeeded(means().now(), static_cast<uint64_t>(std::max<int64_t>(pod.number, 0)));
    } else {
      fails(pod, finish);
    }
    return true;
  }
  void fails(const OwnPod& pod, const runtime::PodFinish* finish) {
    rules_.failed({.at = means().now(),
                   .exit_code = finish == nullptr ? std::nullopt : finish->exit_code,
                   .containers = containers_,
                   .disrupted = pod.disrupted});
  }
  void changed(const model::Workload&, uint64_t) override {
    rules_.suspend(object().job.suspended, means().now());
  }

  controllers::JobRules rules_;
  std::vector<std::string> containers_;
  std::optional<Time> next_;
};

}  // namespace

std::unique_ptr<PlayedWorkload> PlayedWorkload::make(const model::Workload& object,
                                                     WorkloadMeans& means) {
  switch (object.kind) {
    case model::WorkloadKind::kStatefulSet:
      return std::make_unique<StatefulSet>(object, means);
    case model::WorkloadKind::kDaemonSet:
      return std::make_unique<DaemonSet>(object, means);
    case model::WorkloadKind::kJob:
      return std::make_unique<Job>(object, means);
    case model::WorkloadKind::kDeployment:
      return std::make_unique<Deployment>(object, means);
    case model::WorkloadKind::kReplicaSet:
    case model::WorkloadKind::kReplicationController:
      break;
  }
  return std::make_unique<ReplicaSet>(object, means);
}

}  // namespace berth::played
