#pragma once

// The loop of the thread that talks to an API server: its clock and its timers. The state machines
// of this module (lists and watches, the lease, the writes) see the server and time only through
// this and http/http.h. A program gives them the network (http/network.h); a test or a simulation
// plays both in virtual time.

#include <cstdint>
#include <functional>
#include <utility>

#include "engine/base/time.h"

namespace berth::kube {

// One thread.
class Loop {
 public:
  virtual ~Loop() = default;

  // Never goes back, whatever happens to the clock of the machine.
  virtual Time now() const = 0;
  // The clock of the machine, in nanoseconds since 1970, as objects tell time. May jump.
  virtual int64_t wall() const = 0;
  // Calls `due` once, at that time or as soon as the thread is free after it, never within this
  // call. Those of one time come in the order of the calls. Returns a number, which is not 0.
  virtual uint64_t at(Time time, std::function<void()> due) = 0;
  // The call is not made. No effect if it was made, is being made, or the number is 0.
  virtual void cancel(uint64_t timer) = 0;

  uint64_t after(Time wait, std::function<void()> due) { return at(now() + wait, std::move(due)); }
};

}  // namespace berth::kube
