#pragma once

// How the controllers take pods from nodes, and tell of it.

#include <string_view>

#include "engine/model/pods/pod_id.h"

namespace berth::played {

// Why a pod is evicted: its condition DisruptionTarget, which becomes True.
struct EvictionCause {
  std::string_view reason;   // "DeletionByTaintManager"
  std::string_view message;  // for people
};

// Implemented by the played API server.
class Evictor {
 public:
  virtual ~Evictor() = default;

  // Deletes the pod with its own grace period. A pod that is being deleted goes on. Precondition:
  // not within a call in which the core tells of a change.
  virtual void delete_evicted(model::PodId pod, const EvictionCause& cause) = 0;
  // Deletes the pod without a grace period. The same precondition. Without a reason the pod gets no
  // condition.
  virtual void remove_at_once(model::PodId pod, const EvictionCause& cause) = 0;
};

}  // namespace berth::played
