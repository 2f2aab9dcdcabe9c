#pragma once

// Lists of tolerations by handle. Lists that are equal but for their seconds, which do not decide
// where a pod may go, have the same handle. Sources: k8s.io/api core/v1 toleration.go,
// k8s.io/component-helpers scheduling/corev1.

#include <cstdint>
#include <vector>

#include "engine/model/columns/interned.h"
#include "engine/model/objects/objects.h"

namespace berth::model {

// A list is there while it is retained, and until the next `collect`; its handle is used again
// then. Templates retain theirs. One thread adds lists; others may call tolerate() while nothing is
// added.
class TolerationSets {
 public:
  using Handle = uint32_t;  // from 1; the empty list has a handle as well

  // The handle of a list, new or known.
  Handle of(const std::vector<Toleration>& tolerations);
  // True if the list tolerates all taints with the effect NoSchedule or NoExecute. Other effects do
  // not matter. Requires: contains(handle).
  bool tolerate(Handle handle, const std::vector<Taint>& taints) const;
  bool contains(Handle handle) const { return sets_.contains(handle); }
  size_t count() const { return sets_.count(); }
  void retain(Handle handle) { sets_.retain(handle); }
  void release(Handle handle) { sets_.release(handle); }
  // Retires lists without references.
  void collect() {
    sets_.collect([](const auto&) {});
  }

 private:
  Interned<std::vector<Toleration>> sets_;
};

}  // namespace berth::model
