#pragma once

// Reads the node annotation that lists the controllers whose pods the node prefers not to run.

#include <string>
#include <string_view>
#include <vector>

namespace berth::plugins {

// The owner of a pod, as annotations name it.
struct Controller {
  std::string kind;  // ReplicationController or ReplicaSet
  std::string uid;

  bool operator==(const Controller&) const = default;
};

// The controllers that an annotation lists; none if it is malformed, as in kube-scheduler.
std::vector<Controller> read_avoided(std::string_view annotation);

}  // namespace berth::plugins
