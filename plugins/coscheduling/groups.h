#pragma once

// Groups of pods, as far as they have nodes and are not bound, or were refused since.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

// One thread, that of decisions. Pods are handles.
class Groups {
 public:
  using Group = std::pair<std::string, std::string>;  // the namespace and the name

  void start(sdk::Host host) { waiting_ = sdk::WaitingPods(host); }

  // The pods of the group that wait, and this one.
  int64_t holding(const Group& group, uint64_t pod) const {
    return static_cast<int64_t>(waiting(group, pod).size()) + 1;
  }
  // The pod has a node, and the group is complete with it: the others are allowed.
  void allow(const Group& group, uint64_t pod);
  // The pod has a node and is to wait. Pods of the group that were refused are tried next: they
  // could take turns in waiting for each other for ever.
  void wait(const Group& group, uint64_t pod);

  // The pod lost its node. Refuses the pods of the group that wait, so that they do not keep nodes
  // that the group cannot use. Each is refused once, since it leaves the list first.
  void fail(const Group& group, uint64_t pod, std::string_view why);
  // The group gets no nodes now: refuses its pods that wait, and lets all of them back off. If they
  // were tried at once, as after fail(), a group that does not fit would be tried without an end.
  void give_up(const Group& group, uint64_t pod, std::string_view why);
  // A pod leaves its node. True if give_up() refused it: fail() is not for such a pod.
  bool leaves(uint64_t pod) { return given_up_.erase(pod) != 0; }

 private:
  void activate(const Group& group);
  // Pods of the group that wait, but for this one.
  std::vector<uint64_t> waiting(const Group& group, uint64_t pod) const;

  sdk::WaitingPods waiting_;
  std::map<Group, std::vector<uint64_t>> pods_;  // that this plugin made wait
  std::map<Group, std::set<uint64_t>> refused_;  // since a pod of the group began to wait
  std::set<uint64_t> given_up_;  // that give_up() refused, and whose unreserve is still to come
};

}  // namespace berth::plugins
