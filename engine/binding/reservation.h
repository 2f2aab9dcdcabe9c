#pragma once

// Reserve and Permit, the last hooks of a scheduling cycle, after the pod was assumed on its node;
// and Unreserve, which reverts Reserve.
//
// Source: kube-scheduler schedule_one.go schedulingCycle, RunReservePluginsReserve,
// RunPermitPlugins.

#include <optional>
#include <string>

#include "engine/binding/placement_observer.h"
#include "engine/binding/waiting_pods.h"
#include "engine/framework/decision/decision.h"
#include "engine/framework/decision/point_watch.h"
#include "engine/framework/evaluation/decision_context.h"
#include "engine/host/faults/in_plugin.h"

namespace berth::binding {

// A Reserve or Permit plugin refused the pod or failed.
struct Rejection {
  bool failed = false;              // true: the plugin failed; false: it refused the pod
  std::string message;              // the text of the event FailedScheduling
  framework::ReasonCounts reasons;  // of a refusal
  framework::Refusers refused_by;   // of a refusal
  uint8_t code = BERTH_ERROR;       // the plugin's answer
};

// The answers of Reserve and Permit for a pod.
struct Reserved {
  std::optional<Rejection> rejection;
  std::vector<Hold> holds;  // of Permit plugins that want the pod to wait; empty after a rejection
};

class Reservation {
 public:
  // All outlive it. `calls` is the deciding thread's. `observer` may be null.
  Reservation(model::Cluster& cluster, host::CallContext& calls,
              PlacementObserver* observer = nullptr)
      : cluster_(cluster), calls_(calls), observer_(observer) {}

  // Tells how long the points take, from now on; null: nobody. The watch outlives the next call.
  void time_points(framework::PointWatch* watch) { points_ = watch; }

  // True if some Reserve or Permit hook is called for the pod of the decision.
  static bool concerns(const framework::DecisionContext& cycle);

  // Runs the Reserve hooks that are called for the pod of the decision and then the Permit hooks of
  // its profile, in order, up to the first that refuses or fails: then the caller calls
  // unreserve(). After a Permit plugin that holds the pod, the others are asked all the same. Of
  // `cycle`, only the profile and the answers of PreFilter are read. Precondition: the pod counts
  // on the node of `row`.
  Reserved reserve(const framework::DecisionContext& cycle, model::PodId pod, model::Row row);

  // Runs all Unreserve hooks of the profile in reverse order, those of plugins whose Reserve was
  // not called included: Unreserve is idempotent. It cannot fail by contract; a call that fails
  // is counted with the plugin. Precondition: the pod counts on a node, which may be gone.
  void unreserve(framework::Profile& profile, model::PodId pod);

 private:
  host::AboutPod about(model::PodId pod) const;
  // The rejection, if there is one.
  std::optional<Rejection> ask_reserve(const framework::DecisionContext& cycle, model::PodId pod,
                                       model::Row row);
  std::optional<Rejection> ask_permit(framework::Profile& profile, model::PodId pod, model::Row row,
                                      std::vector<Hold>& holds);
  template <typename Hook, typename Call>
  std::optional<Rejection> ask(Hook& hook, const char* point, model::PodId pod, model::Row row,
                               Call&& make);
  void tell(PlacementCall::Point point, std::string_view plugin, model::PodId pod, uint8_t code = 0,
            Time timeout = {});
  template <typename Hook>
  berth_call call(Hook& hook, model::PodId pod, model::Row row);

  model::Cluster& cluster_;
  host::CallContext& calls_;
  PlacementObserver* observer_;
  framework::PointWatch* points_ = nullptr;
  framework::CallColumns columns_;
};

}  // namespace berth::binding
