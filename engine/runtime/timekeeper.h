#pragma once

// Tells how long parts of the core's work take, for metrics: extension points, events and waits in
// Permit (Core::keep_time). Where nobody keeps time, a part costs a test of a pointer. Source:
// kube-scheduler v1.34.1, eventhandlers.go and framework.go WaitOnPermit.

#include <cstddef>

#include "engine/base/time.h"
#include "engine/framework/decision/point_watch.h"
#include "engine/queue/move_counts.h"

namespace berth::runtime {

// Called on the core's thread, but for now().
class Timekeeper : public framework::PointWatch {
 public:
  // So many events of one kind have reached the cluster and the queue; each took so long, by now().
  // `event`: of kPodAdd, or of kEvent with a kind and an action.
  virtual void handled(const queue::Move& event, size_t events, Time took) = 0;
  // A pod waited in Permit, by the core's clock, until plugins allowed it or one refused it. A pod
  // that is removed counts as refused.
  virtual void permit_waited(bool allowed, Time waited) = 0;
};

}  // namespace berth::runtime
