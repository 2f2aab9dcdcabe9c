#pragma once

// When the daemon pod of a node comes back after it failed. Source: failedPodsBackoff of
// pkg/controller/daemon, flowcontrol.Backoff of client-go.

#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "engine/base/time.h"

namespace berth::controllers {

// Of one DaemonSet.
class DaemonBackoff {
 public:
  // The daemon pod of the node failed; returns when its controller replaces it: at once, or after
  // the current delay if the last replacement is not that long ago.
  Time replaced_at(const std::string& node, Time failed_at);

 private:
  static constexpr Time kFirst = std::chrono::seconds(1), kLongest = std::chrono::minutes(15);

  struct Entry {
    Time replaced_at{}, delay{};
  };
  std::map<std::string, Entry, std::less<>> nodes_;
};

}  // namespace berth::controllers
