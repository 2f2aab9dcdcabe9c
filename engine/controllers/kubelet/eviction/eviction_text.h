#pragma once

// Why a pod was evicted, word for word as a kubelet says it. Source: k8s.io/kubernetes
// pkg/kubelet/eviction/helpers.go v1.36.

#include <optional>
#include <string>

#include "engine/controllers/kubelet/eviction/ranking.h"

namespace berth::controllers::kubelet {

// The threshold that was met, and what was left.
struct Shortfall {
  Starved starved = Starved::kMemory;
  Amount threshold, available;
};

struct EvictionText {
  std::string message;
  model::StringMap annotations;  // of the event on the pod
};

EvictionText eviction_text(const Candidate& candidate, const Shortfall& shortfall);

// Why the pod's local storage is above a limit: an emptyDir above its own, all containers above
// their sum, or one container above its own. Nothing: it is not. Precondition: the candidate has
// statistics.
std::optional<std::string> over_local_limit(const Candidate& candidate, Filesystems filesystems);

}  // namespace berth::controllers::kubelet
