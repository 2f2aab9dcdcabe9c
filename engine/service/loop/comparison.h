#pragma once

// Compares the cache of the core with a fresh list of the API server, as kube-scheduler's cache
// comparer does on SIGUSR2 (backend/cache/debugger), which asks its own informers only.
//
// A list and a watch are two requests: a change may be in one and not yet in the other. The version
// of the list does not help, since versions are opaque, and a watch without events tells of a newer
// one about each minute, or never if it is what is broken. So what differs is compared with a
// second list, some time later, and told if it differs both times.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/time.h"
#include "engine/kube/reflector/listing.h"
#include "engine/model/cluster/cluster.h"
#include "engine/service/loop/inbox.h"

namespace berth::service {

// Sorted. A pod that was replaced under its name is in both.
struct Difference {
  std::vector<kube::ListedObject> missed;     // at the server, and not in the cache
  std::vector<kube::ListedObject> redundant;  // the other way

  bool empty() const { return missed.empty() && redundant.empty(); }
};

Difference difference(std::vector<kube::ListedObject> listed,
                      std::vector<kube::ListedObject> cached);

// One thread, the core's.
class Comparison {
 public:
  // Much longer than a watch takes that works.
  static constexpr Time kAgain = std::chrono::seconds(10);

  struct Result {
    Difference nodes, pods;
    size_t cached_nodes = 0, cached_pods = 0;
  };

  // A list has to be asked for. False: that was done, and the result has not come.
  bool begin();
  // Takes the list. Nothing: another one has to be asked for, after kAgain, or the list has a fault
  // and the comparison is over. Pods count that wait, are assumed or bound, of all schedulers.
  std::optional<Result> take(Listed listed, const model::Cluster& cluster);
  // A list is awaited.
  bool under_way() const { return lists_ != 0; }

 private:
  uint32_t lists_ = 0;  // that were asked for
  Result first_;
};

}  // namespace berth::service
