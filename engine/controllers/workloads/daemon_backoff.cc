#include "engine/controllers/workloads/daemon_backoff.h"

#include <algorithm>

namespace berth::controllers {

// An entry that is older than twice the longest delay is forgotten.
Time DaemonBackoff::replaced_at(const std::string& node, Time failed_at) {
  const auto [at, first] = nodes_.try_emplace(node);
  Entry& entry = at->second;
  const bool expired = failed_at - entry.replaced_at > 2 * kLongest;
  if (first || expired) {
    entry = {failed_at, kFirst};
    return failed_at;
  }
  const bool waits = failed_at - entry.replaced_at < entry.delay;
  entry.replaced_at = waits ? failed_at + entry.delay : failed_at;
  entry.delay = std::min(2 * entry.delay, kLongest);
  return entry.replaced_at;
}

}  // namespace berth::controllers
