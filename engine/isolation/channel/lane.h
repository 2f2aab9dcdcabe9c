#pragma once

// A lane: memory that the engine and the process of a plugin share, through which calls go to the
// plugin, and the plugin's questions to the engine come back.
//
// The engine posts a call, or a few that the plugin's side makes one after the other. The plugin's
// side answers with messages: each is either a question (a service that the plugin uses) or the end
// of the call. It waits for the answer of a question, and not for anybody at the end of a call:
// each call that was posted at one time has a place of its own for its messages. A turn is passed
// by a counter in shared memory: the other side spins on it for some microseconds and then sleeps
// on a futex.
//
// The engine trusts nothing that it reads here. It never reads a size, an offset or a pointer that
// it placed in the lane itself, because the plugin may have written over it; it copies a message
// before it looks at it; and an answer array is copied out before it is checked.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "engine/base/assert.h"

namespace berth::isolation {

inline constexpr size_t kLaneCount = 64;
inline constexpr size_t kLaneBytes = size_t{256} << 20;  // address space; pages come with use
inline constexpr size_t kLanesBytes = kLaneCount * kLaneBytes;
inline constexpr size_t kWordsBytes = size_t{64} << 10;
inline constexpr size_t kMostTogether = 4;                // calls that are posted at one time
inline constexpr size_t kMessageBytes = size_t{8} << 20;  // of the messages of one of them

// The place where the messages of a call begin, from the start of the lane. `call`: from 0, in
// order.
constexpr size_t message_place(size_t call) {
  BERTH_ASSERT(call <= kMostTogether);
  return kWordsBytes + call * kMessageBytes;
}
// The engine's own data begin behind the messages.
inline constexpr size_t kDownPlace = message_place(kMostTogether);
static_assert(kDownPlace < kLaneBytes / 2);

// One direction. On a cache line of its own.
struct alignas(64) Turn {
  std::atomic<uint32_t> posted{0};    // counts what was posted
  std::atomic<uint32_t> sleeping{0};  // 1: the receiver may be asleep
};

// At the start of a lane. All zero at first.
struct LaneWords {
  Turn to_plugin;
  Turn to_engine;
  // Written by the engine before it posts: where the first request, or the answer of a question,
  // is from the start of the lane, and the answer's size.
  alignas(64) uint32_t down_offset;
  uint32_t down_size;
  // Written by the plugin's side before it posts: an Ask, and the size of the message in its place.
  struct Up {
    uint32_t kind;
    uint32_t size;
  };
  alignas(64) Up up[kMostTogether];  // by call
};

// The words of the first lane also have one for each instance of the plugin: what its threads
// raised and woke (host::EpochMarks). They set bits, and the engine takes them. All zero at first.
using MarksWord = std::atomic<uint32_t>;
inline constexpr size_t kMarksPlace = 4096;
inline constexpr size_t kMostInstances = (kWordsBytes - kMarksPlace) / sizeof(MarksWord);
// From the start of the lane. `instance`: its number.
constexpr size_t marks_place(size_t instance) {
  BERTH_ASSERT(instance < kMostInstances);
  return kMarksPlace + instance * sizeof(MarksWord);
}
static_assert(sizeof(LaneWords) <= kMarksPlace);
static_assert(std::atomic<uint32_t>::is_always_lock_free);

// Passes the turn: what was written before is visible to the receiver.
void post(Turn& turn);

// The time for which one side of a lane spins before it sleeps. A spin that ends in a sleep was a
// waste, and took a core from whoever is waited for; so the next one is shorter. Now and then the
// full time is tried again. On a single core nobody spins.
class Spin {
 public:
  explicit Spin(std::chrono::nanoseconds most);
  std::chrono::nanoseconds next();
  void ended(bool in_time);

 private:
  static constexpr uint32_t kFullEach = 64;

  std::chrono::nanoseconds most_;
  std::chrono::nanoseconds now_ = most_;
  uint32_t count_ = 0;
};

// The engine has nothing else to do while a plugin answers; a plugin gives its core away early,
// because other plugins' processes may need it.
inline constexpr std::chrono::microseconds kEngineSpin(50);
inline constexpr std::chrono::microseconds kPluginSpin(20);

// Waits until more than `seen` was posted, and returns true; false: the time is over.
bool wait(Turn& turn, uint32_t seen, Spin& spin, std::chrono::milliseconds at_most);

}  // namespace berth::isolation
