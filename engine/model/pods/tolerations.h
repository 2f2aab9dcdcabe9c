#pragma once

// Lists of tolerations by handle. Equal lists have the same handle. Sources: k8s.io/api core/v1
// toleration.go, k8s.io/component-helpers scheduling/corev1.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/objects/objects.h"

namespace berth::model {

// One thread adds lists; others may call tolerate() while nothing is added. Lists are never
// removed.
class TolerationSets {
 public:
  using Handle = uint32_t;  // from 1; the empty list has a handle as well

  // The handle of a list, new or known.
  Handle of(const std::vector<Toleration>& tolerations);
  // True if the list tolerates all taints with the effect NoSchedule or NoExecute. Other effects do
  // not matter. Requires: handle is in 1..count().
  bool tolerate(Handle handle, const std::vector<Taint>& taints) const;
  Handle count() const { return static_cast<Handle>(sets_.size()); }

 private:
  std::vector<std::vector<Toleration>> sets_;
  boost::unordered_flat_map<std::string, Handle> handles_;  // by identity
};

}  // namespace berth::model
