#include "engine/runtime/audit.h"

#include <boost/unordered/unordered_flat_set.hpp>

#include "engine/base/bug.h"
#include "engine/model/cluster/pod_name.h"
#include "engine/runtime/scheduling/scheduler.h"

namespace berth::runtime {
namespace {

using model::PodState;
using QueuePlace = queue::Place;

// Indices of pods.
using Members = boost::unordered_flat_set<uint32_t>;

const char* words(PodState state) {
  switch (state) {
    case PodState::kWaiting:
      return "waiting";
    case PodState::kGated:
      return "gated";
    case PodState::kInFlight:
      return "in flight";
    case PodState::kAssumed:
      return "assumed";
    case PodState::kPermitWaiting:
      return "held in Permit";
    case PodState::kBinding:
      return "being bound";
    case PodState::kBound:
      return "bound";
    case PodState::kTerminating:
      return "terminating";
  }
  return "";
}

const char* words(QueuePlace place) {
  switch (place) {
    case QueuePlace::kNone:
      return "not there";
    case QueuePlace::kActive:
      return "active";
    case QueuePlace::kBackoff:
      return "backing off";
    case QueuePlace::kErrorBackoff:
      return "backing off after an error";
    case QueuePlace::kUnschedulable:
      return "unschedulable";
    case QueuePlace::kGated:
      return "gated";
    case QueuePlace::kInFlight:
      return "in flight";
    case QueuePlace::kPastRefusal:
      return "past refusal";
  }
  return "";
}

class Audit {
 public:
  Audit(const model::Cluster& cluster, const Scheduler& scheduler)
      : cluster_(cluster), scheduler_(scheduler) {}

  std::string run() {
    std::string wrong = cluster_.fault();
    if (wrong.empty()) wrong = queue_fault();
    if (wrong.empty())
      wrong = list(scheduler_.bindings().binder().pods(), "a binding batch", binding_);
    if (wrong.empty())
      wrong = list(scheduler_.bindings().pre_bind_waits().pods(), "PreBind", binding_);
    if (wrong.empty())
      wrong = list(scheduler_.bindings().under_way().unseen(), "an unanswered binding", binding_);
    if (wrong.empty()) wrong = list(scheduler_.bindings().permits().pods(), "Permit", permits_);
    if (wrong.empty()) wrong = updates_fault();
    if (wrong.empty()) wrong = pods_fault();
    return wrong;
  }

 private:
  std::string name(model::PodId id) const { return "pod \"" + full_name(cluster_, id) + "\" "; }

  std::string queue_fault() const {
    const auto wrong = scheduler_.queue().fault();
    if (!wrong) return {};
    if (!wrong->pod) return wrong->what;
    return (cluster_.pods().contains(wrong->pod) ? name(wrong->pod) : "a pod that is gone ") +
           wrong->what;
  }

  // Members of a list, each once, that are in the pod table.
  std::string list(const std::vector<model::PodId>& pods, const char* where, Members& members) {
    for (const model::PodId pod : pods) {
      if (!cluster_.pods().contains(pod)) return std::string("a pod that is gone is in ") + where;
      if (!members.insert(pod.index).second) return name(pod) + "is twice in " + where;
    }
    return {};
  }

  std::string updates_fault() const {
    for (const model::PodId pod : scheduler_.updates().pods()) {
      if (!cluster_.pods().contains(pod)) return "an update of a pod that is gone is kept";
      if (!AssumedUpdates::applies_to(cluster_.pod(pod)))
        return name(pod) + "is not assumed, and an update of it is kept";
    }
    return {};
  }

  std::string pods_fault() const {
    std::string wrong;
    size_t queued = 0, known = 0;
    cluster_.pods().for_each([&](const model::PodRecord& pod) {
      queued += scheduler_.queue().place(pod.id) != QueuePlace::kNone;
      if (!wrong.empty()) return;
      wrong = place_fault(pod);
      if (!wrong.empty()) wrong = name(pod.id) + "is " + words(pod.state) + ", and " + wrong;
    });
    for (size_t place = 0; place < queue::kPlaces; ++place)
      known += scheduler_.queue().size(static_cast<QueuePlace>(place));
    if (wrong.empty() && known != queued) return "the queue knows a pod that is gone";
    return wrong;
  }

  // A pod that is held or being bound keeps a place in the queue, which says whether events still
  // count for it. A pod that never entered the queue has none.
  bool fits(const model::PodRecord& pod, QueuePlace place) const {
    switch (pod.state) {
      case PodState::kWaiting:
        if (place == QueuePlace::kNone) return !scheduler_.assumes() || pod.queue_time == 0;
        return place == QueuePlace::kActive || place == QueuePlace::kBackoff ||
               place == QueuePlace::kErrorBackoff || place == QueuePlace::kUnschedulable;
      case PodState::kGated:
        return place == QueuePlace::kGated;
      case PodState::kInFlight:
      case PodState::kPermitWaiting:
        return place == QueuePlace::kInFlight;
      case PodState::kBinding:
        return place == QueuePlace::kPastRefusal;
      case PodState::kBound:
      case PodState::kTerminating:
        return place == QueuePlace::kNone;
      case PodState::kAssumed:
        return false;  // within a step only
    }
    return false;
  }

  std::string place_fault(const model::PodRecord& pod) const {
    const QueuePlace place = scheduler_.queue().place(pod.id);
    const bool binds = pod.state == PodState::kBinding;
    const bool held = pod.state == PodState::kPermitWaiting;
    if (!fits(pod, place)) return std::string("in the queue it is ") + words(place);
    if (binding_.contains(pod.id.index) != binds)
      return binds ? "no binding batch has it" : "a binding batch has it";
    if (permits_.contains(pod.id.index) != held)
      return held ? "no Permit plugin holds it" : "Permit plugins hold it";
    return {};
  }

  const model::Cluster& cluster_;
  const Scheduler& scheduler_;
  Members binding_, permits_;
};

}  // namespace

std::string first_fault(const model::Cluster& cluster, const Scheduler& scheduler) {
  return Audit(cluster, scheduler).run();
}

// A value takes about ten nanoseconds, a step of a busy core a microsecond or more.
uint64_t Auditor::steps_for(size_t cost) const {
  constexpr uint64_t kFewestSparse = 8192, kValuesPerSparseStep = 1, kCheap = 512;
  switch (pace_) {
    case AuditPace::kNever:
    case AuditPace::kEveryStep:
      return 1;
    case AuditPace::kDense:
      return 1 + cost / kCheap;
    case AuditPace::kSparse:
      return kFewestSparse + cost / kValuesPerSparseStep;
  }
  return 1;
}

bool Auditor::pays(size_t cost) {
  const uint64_t steps = steps_for(cost);
  const bool pays = waited_ >= steps;
  left_ = pays ? steps : steps - waited_;
  waited_ = steps;
  return pays;
}

void Audits::audit_now() {
  if (!auditor_.pays(cluster_.fault_cost())) return;
  if (const std::string wrong = first_fault(cluster_, scheduler_); !wrong.empty()) bug(wrong);
}

}  // namespace berth::runtime
