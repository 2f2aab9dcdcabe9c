#pragma once

// Pods that are being deleted and leave at a given time, as their grace periods end.
//
// One thread.

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/base/time.h"
#include "engine/model/objects/objects.h"
#include "engine/model/pods/pod_id.h"
#include "engine/runtime/clock.h"

namespace berth::played {

// The time for which a pod that is deleted stays on its node, if the deletion does not say it.
inline Time grace_of(const model::PodSpec& spec) {
  return std::chrono::seconds(spec.termination_grace_seconds.value_or(30));
}

class Deletions {
 public:
  // The pod leaves at that time. A second deletion counts only if it ends earlier; false if it does
  // not. `name` is NAMESPACE/NAME, which orders pods that leave at one time.
  bool add(model::PodId pod, std::string name, Time leaves);
  void forget(model::PodId pod);  // nothing happens if it is not being deleted

  // The time at which the next pod leaves; nothing if none does.
  std::optional<Time> next() const;
  // A pod that leaves at `now` or before, the first in order.
  std::optional<model::PodId> take(Time now);
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Time leaves;
    std::string name;
    model::PodId pod;
    auto operator<=>(const Entry&) const = default;
  };

  std::set<Entry> order_;
  std::map<model::PodId, std::set<Entry>::const_iterator> entries_;
};

}  // namespace berth::played
