#pragma once

// When a node was last heard of, by the clock of the controller that watches it. Source:
// tryUpdateNodeHealth() of k8s.io/kubernetes pkg/controller/nodelifecycle.
//
// A node is heard of by its lease, and by the heartbeat of its condition Ready. What counts is not
// the time that they say, but when a look first finds it.

#include <chrono>
#include <optional>
#include <string>

#include "engine/base/time.h"
#include "engine/controllers/conditions.h"

namespace berth::controllers {

inline constexpr Time kLookPeriod = std::chrono::seconds(5);
inline constexpr Time kLeasePeriod = std::chrono::seconds(10);

// A multiple of `period`, plus `offset`, that is not before `time`.
Time first_from(Time time, Time period, Time offset = {});

// The renewals of a node's lease: when its kubelet starts, and every 10 s at `phase`.
class LeaseTimes {
 public:
  void start(Time now, Time phase);
  void stop(Time now) { stopped_ = stopped_.value_or(now); }
  bool run() const { return started_ && !stopped_; }
  // The last renewal since the start that is not after `now`; nothing: there was none.
  std::optional<Time> last(Time now) const;

 private:
  std::optional<Time> started_, stopped_;
  Time phase_{};
};

// A node's object, as far as its health depends on it.
struct HealthSigns {
  const Condition* ready = nullptr;  // null: no condition Ready
  Time heartbeat{};                  // of it
  Time created{};
  std::optional<Time> lease{};  // its last renewal
};

class NodeHealth {
 public:
  // At each look. Looks may be left out while nothing but the lease changes, but for catch_up().
  void look(Time now, const HealthSigns& signs);
  // The last renewal that looks which left the node out would have found.
  void catch_up(std::optional<Time> lease);
  // The controller has set Ready to Unknown; `heartbeat` is that of the condition now.
  void set_unknown(Time heartbeat, std::optional<Time> lease);
  // The node counts as heard of at `now`, if it was not later.
  void hear(Time now);

  // True if the node was not heard of for longer than the grace period. It is longer for a node
  // without condition Ready.
  bool is_silent(Time now, bool has_ready) const;
  // False: the next look may find something although nothing changes. A look that finds a new
  // heartbeat forgets the lease; the next one takes the lease for a new one.
  bool is_settled() const { return known_ && lease_.has_value(); }
  // Status of Ready when a look last took it over; empty: there was none, or no look yet.
  const std::string& ready() const { return ready_; }

 private:
  void take(Time now, const HealthSigns& signs);

  bool known_ = false;
  Time heard_{};
  std::string ready_;
  Time heartbeat_{};           // of Ready, if there is one
  std::optional<Time> lease_;  // the renewal that was found last
};

}  // namespace berth::controllers
