#pragma once

// Which pod goes first when a node is short of something. Source: k8s.io/kubernetes
// pkg/kubelet/eviction/helpers.go v1.36.

#include <vector>

#include "engine/controllers/kubelet/eviction/usage.h"
#include "engine/controllers/kubelet/pod/pod.h"

namespace berth::controllers::kubelet {

struct Candidate {
  PodNumber number = 0;
  const Pod* pod = nullptr;         // never null
  const PodUsage* usage = nullptr;  // null: no statistics
};

// Puts the pods in the order in which they are evicted for this signal.
//
// - Memory and disk: those that use more than they request; then the lower priority; then the
//   larger difference of use and request.
// - Processes: the lower priority, then the larger number.
//
// A pod without statistics goes first wherever use is compared. Of inodes nothing is requested, but
// in the last step the request of ephemeral storage is subtracted from them. Equal pods keep their
// order, where a kubelet leaves it to chance. QoS classes play no part.
void rank(std::vector<Candidate>& pods, Signal signal, Filesystems filesystems);

}  // namespace berth::controllers::kubelet
