#pragma once

// Groups of pods, as far as they have nodes and are not bound, or were refused since.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

// One thread, that of decisions. Pods are handles.
class Groups {
 public:
  using Group = std::pair<std::string, std::string>;  // the namespace and the name

  void start(sdk::Host host) { waiting_ = sdk::WaitingPods(host); }

  // The pod has a node. True if so many pods of its group wait, this one included; then the others
  // are allowed. Otherwise the pod is to wait, and those that were refused are tried next: pods of
  // a group could take turns in waiting for each other for ever.
  bool complete(const Group& group, uint64_t pod, int64_t min_member);

  // The pod lost its node. Refuses the pods of the group that wait, so that they do not keep nodes
  // that the group cannot use. Each is refused once, since it leaves the list first.
  void fail(const Group& group, uint64_t pod);

 private:
  void activate(const Group& group);
  // Pods of the group that wait, but for this one.
  std::vector<uint64_t> waiting(const Group& group, uint64_t pod) const;

  sdk::WaitingPods waiting_;
  std::map<Group, std::vector<uint64_t>> pods_;  // that this plugin made wait
  std::map<Group, std::set<uint64_t>> refused_;  // since a pod of the group began to wait
};

}  // namespace berth::plugins
