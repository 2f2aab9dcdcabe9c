#pragma once

// The nominations of pods to nodes. Belongs to the node table and has its threads.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/pods/pod_table.h"

namespace berth::model {

// A pod as its node counts it.
struct PodOnNode {
  PodId pod;
  TemplateId pod_template = 0;
  ShapeId shape = 0;
  bool terminating = false;
};

// A pod that is nominated to a node: filters of pods of equal or lower priority see it there.
struct Nomination {
  PodOnNode pod;
  int32_t priority = 0;
};

// A slot is listed exactly if it has a nomination, and a pod is nominated at most once to a node.
class Nominations {
 public:
  // Precondition: the pod has no nomination to the node.
  void add(Slot slot, const Nomination& nomination);
  // Precondition of both: the pod has a nomination to the node.
  void remove(Slot slot, PodId pod);
  void replace(Slot slot, const Nomination& by);

  bool any(Slot slot) const { return slot < places_.size() && places_[slot] != kNone; }
  // Of a node, in order of arrival. Valid until a nomination is added or removed.
  std::span<const Nomination> at(Slot slot) const {
    if (!any(slot)) return {};
    return lists_[places_[slot]];
  }
  // Slots with nominations, in no particular order.
  const std::vector<Slot>& slots() const { return slots_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  std::vector<Nomination>& list(Slot slot);

  std::vector<Slot> slots_;
  std::vector<std::vector<Nomination>> lists_;  // in step with slots_; none is empty
  std::vector<uint32_t> places_;                // by slot: its place in slots_, or kNone
};

}  // namespace berth::model
