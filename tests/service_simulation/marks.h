#pragma once

// Counts how often each fault and rare turn came, so that a test can require all of them: a fault
// that never comes tests nothing.

#include <array>
#include <cstddef>
#include <cstdint>

namespace berth::service_simulation {

enum class Mark : uint32_t {
  kLostAnswer,
  kErrorAnswer,
  kConflictAnswer,
  kTooManyAnswer,
  kLateAnswer,
  kLostWatch,
  kLostConnection,
  kCompaction,
  kClockJump,
  kCrash,
  kPause,
  kTermination,
  kLeaseLost,
  kTakeover,
  kNodeGone,
  kNodeBack,
  kPodRecreated,
  kBoundByAnother,
  kForeignPod,
  kEviction,
  kVolumeBound,
};
inline constexpr size_t kMarks = static_cast<size_t>(Mark::kVolumeBound) + 1;
using MarkCounts = std::array<uint64_t, kMarks>;

inline constexpr std::array<const char*, kMarks> kMarkNames{
    "the answer to a write is lost",
    "a write is answered by 500",
    "a write is answered by 409",
    "a write is answered by 429",
    "a write is answered after a second or more",
    "a watch breaks",
    "a process has no connection",
    "the history is compacted",
    "the wall clock of a process jumps",
    "a process is killed",
    "a process is stopped for a while",
    "a process is asked to end",
    "a process loses the lease",
    "another process takes the lease",
    "a node goes",
    "a node comes back",
    "a pod is created again under its name",
    "another scheduler binds a pod",
    "a pod of another scheduler comes",
    "a pod is evicted",
    "a volume is bound",
};

class Marks {
 public:
  void hit(Mark mark) { ++counts_[static_cast<size_t>(mark)]; }
  const MarkCounts& counts() const { return counts_; }

 private:
  MarkCounts counts_{};
};

}  // namespace berth::service_simulation
