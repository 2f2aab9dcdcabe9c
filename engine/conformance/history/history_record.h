#pragma once

// The records of a history: attempts, as the core's reports tell of them, and the state of the
// scheduler after a step.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/runtime/core.h"

namespace berth::conformance {

// One try of a popped pod; or the rest of one, after its pod had waited in Permit.
struct Attempt {
  Time at{};
  model::PodId id;
  std::string pod;
  uint32_t attempts = 0;  // how often the pod was popped
  std::string result;
  std::string node;
  std::vector<std::string> plugins;  // that refused the pod, sorted
  std::string message;               // of the event of a pod that was not scheduled
  std::optional<std::string> nominated;
  std::vector<std::string> victims, cleared;  // sorted
  std::vector<std::string> calls;             // of scripted plugins: "First permit ns/a n success"
  bool searched = false;                      // a decision was made
  uint32_t evaluated = 0, feasible = 0, next = 0;
};

struct WaitingPod {
  std::string pod;
  std::vector<std::string> plugins;  // that refused it, or that gate it; sorted
  bool gated = false;
};

struct SchedulerState {
  std::vector<std::string> active, backoff;  // in the order in which they leave
  std::vector<std::string> error_backoff;    // sorted, like all that follow
  std::vector<WaitingPod> unschedulable;
  std::map<std::string, std::string> nominations;  // pod to node
  std::map<std::string, uint64_t> pods;            // on each node that has any
  std::vector<std::string> terminating;
  std::vector<std::string> waiting;  // in Permit
};

SchedulerState state_of(runtime::Core& core);

}  // namespace berth::conformance
