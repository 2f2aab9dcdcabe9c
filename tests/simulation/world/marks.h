#pragma once

// Counts how often each fault and rare turn came, so that a test can require all of them: a fault
// that never comes tests nothing.

#include <array>
#include <atomic>
#include <cstdint>

#include "tests/simulation/world/faults.h"

namespace berth::simulation {

// The first kFaultPoints are errors of Chaos, by FaultPoint.
enum class Mark : uint32_t {
  kPermitWait = kFaultPoints,
  kPreBindWait,
  kBindFails,
  kBindIsLost,
  kExtenderError,
  kExtenderTimeout,
  kExtenderBinds,
  kLateBinding,
  kLateEvent,
  kDuplicateEvent,
  kClockJump,
  kOtherScheduler,
  kChangeBetween,
  kSilentChange,
  kGroupBound,
  kEvictedWithBudget,
  kVolumeWait,
  kProvisioningFails,
  kLateAnswer,
  kAnswerOvertakes,
  kAnswerTwice,
  kNoAnswer,
};
inline constexpr size_t kMarks = static_cast<size_t>(Mark::kNoAnswer) + 1;
using MarkCounts = std::array<uint64_t, kMarks>;

inline constexpr std::array<const char*, kMarks> kMarkNames{
    "PreEnqueue fails",
    "PreFilter fails",
    "Filter fails",
    "PostFilter fails",
    "PreScore fails",
    "Score fails",
    "normalising scores fails",
    "Reserve fails",
    "Permit fails",
    "PreBind fails",
    "Bind fails",
    "a hint fails",
    "Permit holds a pod",
    "PreBind waits",
    "the server refuses a binding",
    "the answer to a binding is lost",
    "an extender fails",
    "an extender times out",
    "an extender binds",
    "a binding is carried out after the time-out",
    "an event is late",
    "an event comes twice",
    "the clock jumps",
    "another scheduler binds",
    "something changes between decision and attempt",
    "a pod changes while it is assumed",
    "a pod of a group is bound",
    "a pod with a disruption budget is evicted",
    "a pod waits for its volumes",
    "a volume is not provisioned",
    "the answer to a binding is late",
    "an answer overtakes another",
    "an answer comes twice",
    "an answer never comes",
};

// Any thread.
class Marks {
 public:
  void hit(Mark mark) { ++counts_[static_cast<size_t>(mark)]; }
  void fails(FaultPoint point) { ++counts_[static_cast<size_t>(point)]; }
  MarkCounts counts() const {
    MarkCounts all{};
    for (size_t i = 0; i < kMarks; ++i) all[i] = counts_[i];
    return all;
  }

 private:
  std::array<std::atomic<uint64_t>, kMarks> counts_{};
};

}  // namespace berth::simulation
