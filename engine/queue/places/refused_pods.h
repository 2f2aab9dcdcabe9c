#pragma once

// The pods that wait, by what refused them.
//
//   refuser --> refusals that it is part of --> classes of each --> pods of each
//
// A refusal is a set of refusers, some of them pending, and the one that gates. Few exist, and they
// stay. A class is the pods of one group with one refusal: a list through the rows of QueuedPods. A
// class exists while it has pods.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/queue/places/queued_pods.h"
#include "engine/queue/queue_event.h"

namespace berth::queue {

using ClassId = uint32_t;

struct Refusal {
  Refusers refusers;  // the one that gates included
  RefuserId gated_by = kNobody;
  std::vector<ClassId> classes;  // those with pods
};

class RefusedPods {
 public:
  RefusedPods() : refusals_(1) {}

  // The refusal of these refusers, none of which gates.
  RefusalId refusal(const Refusers& refusers);
  // The refusal where `by` gates, too; with kNobody, that of the same refusers without a gate.
  RefusalId gated(RefusalId refusal, RefuserId by);
  const Refusal& operator[](RefusalId id) const { return refusals_[id]; }
  // Refusals that the refuser is part of.
  std::span<const RefusalId> of(RefuserId refuser) const;

  // The pod waits, for what row.refusal says. `group` is small, see QueueHooks::group.
  void insert(QueuedPods& pods, uint32_t index, uint32_t group);
  void erase(QueuedPods& pods, uint32_t index);

  // A pod of the class; the others follow by QueuedPod::next.
  uint32_t head(ClassId id) const { return classes_[id].head; }
  // Class ids are smaller than this.
  size_t classes() const { return classes_.size(); }

 private:
  struct Class {
    RefusalId refusal = 0;
    uint32_t group = 0;
    uint32_t head = kNoIndex;
    uint32_t tail = kNoIndex;
    uint32_t position = 0;  // in Refusal::classes
    ClassId next_of_group = kNoIndex;
  };

  RefusalId intern(const Refusers& refusers, RefuserId gated_by);
  ClassId class_of(RefusalId refusal, uint32_t group);
  void drop(ClassId id);

  std::vector<Refusal> refusals_;  // the first is that of nobody
  std::unordered_multimap<uint64_t, RefusalId> by_hash_;
  std::unordered_map<uint64_t, RefusalId> gated_;  // answers of `gated`
  std::vector<std::vector<RefusalId>> by_refuser_;
  std::vector<Class> classes_;
  std::vector<ClassId> free_;
  std::vector<ClassId> first_of_group_;
};

}  // namespace berth::queue
