#pragma once

// Pods that wait in Permit: they count on their nodes, and plugins hold them.
//
// Each plugin that answered WAIT has a timer of its own, which its own `allow` stops. The pod goes
// on when all of them have allowed it; it is refused by the first timer that fires, or by any
// plugin's `reject`. Only the first answer counts: a pod that was released cannot be released
// again. A released pod stays among the waiting ones until `take_released` hands it out, as in
// kube-scheduler, where the binding cycle that waits for it has yet to run.
//
// Time is passed in. One thread.
//
// Source: kube-scheduler waiting_pods_map.go, WaitOnPermit.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/base/time.h"
#include "engine/framework/hooks/profile.h"

namespace berth::binding {

// A plugin that holds a pod.
struct Hold {
  std::string plugin;
  Time timeout{};  // asked for; BERTH_PERMIT_MAX_SECONDS at most counts
};

// The end of a pod's wait.
struct Released {
  model::PodId pod;
  framework::Profile* profile = nullptr;
  Time since{};  // when it began
  bool allowed = false;
  std::string plugin;   // that refused or preempted the pod; empty: it was removed
  std::string message;  // of a refusal or a preemption
  bool failed = false;  // preempted: an error, and no refusal
};

class WaitingPods {
 public:
  // The pod waits from now on. Precondition: it does not, and `holds` is not empty.
  void hold(model::PodId pod, framework::Profile& profile, std::vector<Hold> holds, Time now);

  // False, and nothing happens: the pod does not wait, or was released before. A plugin that does
  // not hold the pod allows nothing.
  bool allow(model::PodId pod, const std::string& plugin);
  bool reject(model::PodId pod, const std::string& plugin, std::string message);
  // The wait ends with an error, and says nothing about nodes.
  bool preempt(model::PodId pod, const std::string& plugin, std::string message);

  // The time of the next timer; nothing if none runs.
  std::optional<Time> next_timeout() const;
  // Refuses the pod whose timer has fired first by `now`, then by `name(pod)`, then by the plugin's
  // name. False: none has fired.
  template <typename Name>
  bool expire(Time now, Name&& name);

  // The pod that was released first, which waits no more.
  std::optional<Released> take_released();
  bool has_released() const { return !released_.empty(); }

  // True also for pods that were released and not taken.
  bool contains(model::PodId pod) const { return find(pod) != nullptr; }
  // The waiting pods, in the order in which they began to wait.
  std::vector<model::PodId> pods() const;
  size_t size() const { return waiting_.size(); }

 private:
  struct Timer {
    std::string plugin;
    Time asked{};
    Time fires{};
  };
  struct Waiting {
    model::PodId pod;
    framework::Profile* profile = nullptr;
    Time since{};
    std::vector<Timer> timers;  // of the plugins that still hold the pod
    bool released = false;
  };
  struct Fired {
    Time at{};
    std::string name, plugin;
    model::PodId pod;
    std::string message;
    auto operator<=>(const Fired& other) const {
      return std::tie(at, name, plugin) <=> std::tie(other.at, other.name, other.plugin);
    }
    bool operator==(const Fired& other) const = default;
  };

  const Waiting* find(model::PodId pod) const;
  Waiting* find(model::PodId pod) {
    return const_cast<Waiting*>(static_cast<const WaitingPods*>(this)->find(pod));
  }
  std::vector<Fired> fired(Time now) const;
  // Null: the pod does not wait, or was released before.
  Waiting* find_held(model::PodId pod);
  Released& release(Waiting& waiting);

  std::vector<Waiting> waiting_;
  std::deque<Released> released_;
};

template <typename Name>
bool WaitingPods::expire(Time now, Name&& name) {
  std::vector<Fired> all = fired(now);
  if (all.empty()) return false;
  for (Fired& one : all) one.name = name(one.pod);
  Fired& first = *std::min_element(all.begin(), all.end());
  return reject(first.pod, first.plugin, std::move(first.message));
}

}  // namespace berth::binding
