#pragma once

// The answer of an API server to the DELETE of a pod. Sources: k8s.io/apiserver
// registry/rest/delete.go, registry/generic/registry/store.go, pkg/registry/core/pod/strategy.go.
//
// Pods have no finalizers here.

#include <cstdint>
#include <optional>

#include "engine/base/time.h"

namespace berth::controllers {

// metadata.deletionTimestamp, in whole seconds, and metadata.deletionGracePeriodSeconds.
struct PodDeletion {
  Time at{};
  int64_t grace_seconds = 0;
  bool operator==(const PodDeletion&) const = default;
};

// The parts of a pod that the rules read.
struct DeletablePod {
  std::optional<PodDeletion> deletion;    // absent: the pod does not terminate
  int64_t termination_grace_seconds = 0;  // of its spec; 0 if it has none
  bool bound = false;                     // it names a node
  bool finished = false;                  // its phase is Succeeded or Failed
};

struct DeletionOutcome {
  bool gone = false;                    // the object no longer exists
  std::optional<PodDeletion> deletion;  // the new one; absent: the pod stays as it is, or is gone
};

// `grace_seconds`: that of the request, if it has one; a negative one is 1.
DeletionOutcome delete_gracefully(const DeletablePod& pod, std::optional<int64_t> grace_seconds,
                                  Time now);

}  // namespace berth::controllers
