#pragma once

// The plugin's end of a lane: a thread of the plugin's process serves one lane, and the functions
// of services ask through the lane of their thread.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/host/run/worker.h"
#include "engine/isolation/channel/calls.h"
#include "engine/isolation/channel/lane.h"
#include "engine/isolation/channel/message.h"

namespace berth::isolation {

// Belongs to one thread.
class PluginLane {
 public:
  // `base`: the lane in this process. `number`: the lane's, which is that of the thread, too.
  PluginLane(std::byte* base, uint32_t number) : base_(base), number_(number) {}
  PluginLane(const PluginLane&) = delete;
  PluginLane& operator=(const PluginLane&) = delete;

  // The lane that this thread serves; null: the thread is one of the plugin's own.
  static PluginLane* current() { return current_; }
  void serve_here() { current_ = this; }

  // Waits for calls if all that were posted have ended, and returns the next request. What the last
  // call kept is gone.
  Request& next_call();

  // Asks the engine. The answer is valid until the next question.
  Reader ask(Ask kind, const Writer& question);
  // Ends the call. `result`: see Ask::kEnd.
  void end(const Writer& result);

  // Memory that lives until the call ends.
  std::string_view keep(std::string_view text) { return texts_.emplace_back(text); }
  Memory& memory() { return memory_; }

  // The call in progress, for the services that the process offers itself.
  struct CallNow {
    int64_t now = 0;
    uint64_t random = 0;
    host::Keeps keeps = host::Keeps::kNoHook;
    Refused refused = Refused::kNothing;
  };
  CallNow& call_now() { return call_now_; }
  uint32_t number() const { return number_; }
  host::Scratch& scratch() { return scratch_; }

  // Objects of the volumes service that this call got, by the number under which the engine knows
  // each; 0: unknown.
  void know(const void* object, uint32_t number) { objects_[object] = number; }
  uint32_t number_of(const void* object) const {
    const auto found = objects_.find(object);
    return found == objects_.end() ? 0 : found->second;
  }

 private:
  LaneWords& words() { return *reinterpret_cast<LaneWords*>(base_); }
  void say(Ask kind, const Writer& message);
  void receive();

  static inline thread_local PluginLane* current_ = nullptr;

  std::byte* base_;
  const uint32_t number_;
  CallNow call_now_;
  host::Scratch scratch_;
  uint32_t seen_ = 0;
  Request* next_ = nullptr;  // of the calls that were posted together; null: all were begun
  uint32_t call_ = 0;        // the number of the one in progress
  Spin spin_{kPluginSpin};
  std::deque<std::string> texts_;
  Memory memory_;
  std::unordered_map<const void*, uint32_t> objects_;
};

}  // namespace berth::isolation
