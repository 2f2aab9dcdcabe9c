#pragma once

// Pods for which PreBind plugins wait: they count on their nodes, and a plugin is called again when
// its time has come.
//
// Time is passed in. One thread.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/binding/completion.h"

namespace berth::binding {

class PreBindWaits {
 public:
  struct Waiting {
    model::PodId pod;
    framework::Profile* profile = nullptr;
    std::unique_ptr<PreBindWait> wait;
    // The plugin, of several the first one.
    const std::string& plugin() const {
      return profile->pre_bind[wait->hooks.front().hook].point->plugin();
    }
  };

  // The pod waits from now on, for each plugin since the time of its first WAIT. The next call is
  // due when the plugin asked for it, but not after its limit. Precondition: the pod does not wait,
  // `wait` is not null, and its hooks are some of the profile's.
  void hold(model::PodId pod, framework::Profile& profile, std::unique_ptr<PreBindWait> wait,
            Time now);

  // When the next call is due; nothing if no pod waits.
  std::optional<Time> next() const;
  // Takes the pod whose call is due first by `now`, of several the one that was held first. The
  // hooks that are due are marked, and `waited` of those is the time since their first WAIT.
  std::optional<Waiting> take_due(Time now);
  // Takes the pod, whenever its call is due; nothing if it does not wait.
  std::optional<Waiting> take(model::PodId pod);

  bool contains(model::PodId pod) const { return keys_.contains(pod); }
  // In the order in which their calls are due.
  std::vector<model::PodId> pods() const;
  size_t size() const { return waiting_.size(); }

 private:
  using Key = std::pair<Time, uint64_t>;  // when the call is due, and the number of the hold

  std::map<Key, Waiting> waiting_;
  std::map<model::PodId, Key> keys_;
  uint64_t holds_ = 0;
};

}  // namespace berth::binding
