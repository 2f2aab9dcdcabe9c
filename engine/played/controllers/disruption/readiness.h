#pragma once

#include <string>

namespace berth::played {

// Learns which pods are ready.
class Readiness {
 public:
  virtual ~Readiness() = default;

  // The condition Ready of all pods that run on the node.
  virtual void pods_are_ready(const std::string& node, bool ready) = 0;
};

}  // namespace berth::played
