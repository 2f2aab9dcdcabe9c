#pragma once

#include <string>

#include "engine/model/pods/pod_id.h"

namespace berth::played {

// Learns which pods are ready.
class Readiness {
 public:
  virtual ~Readiness() = default;

  // The condition Ready of all pods that run on the node, and of those that are bound to it later.
  virtual void pods_are_ready(const std::string& node, bool ready) = 0;
  // Of one pod that is bound to a node; until the node's pods are ready, or the pod ends.
  virtual void pod_is_not_ready(model::PodId pod) = 0;
};

}  // namespace berth::played
