#pragma once

// The way in which the controllers take pods from nodes, and tell of it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/model/pods/pod_id.h"

namespace berth::played {

// Why a pod is evicted: its condition DisruptionTarget, which becomes True.
struct EvictionCause {
  std::string_view reason;   // "DeletionByTaintManager"
  std::string_view message;  // for people
  std::string_view cause;    // what it goes back to, for people: "drain of node n1"
};

// Implemented by the played API server.
class Evictor {
 public:
  virtual ~Evictor() = default;

  // Deletes the pod, with its own grace period unless another one is given. A pod that is being
  // deleted goes on, unless the given period ends earlier. Without a reason the pod gets no
  // condition. Precondition: not within a call in which the core tells of a change.
  virtual void delete_within(model::PodId pod, std::optional<int64_t> grace_seconds,
                             const EvictionCause& cause) = 0;
  // The kubelet of the node, which was silent, answers again: pods that it should have stopped
  // leave. May be called within a call in which the core tells of a change.
  virtual void kubelet_answers(const std::string& node) = 0;
};

}  // namespace berth::played
