#pragma once

// The pod table: one row for each pod, from the moment the pod is known until it is gone.
//
// Rows are records rather than columns, because nothing scans all pods: a decision, an event or a
// binding reads most fields of one row, which is two cache lines. Values that plugins read over
// many pods are gathered into columns per call (pod_columns.h). Rows live in chunks that never
// move, so a reference stays valid until the pod is removed.
//
// A pod is looked up by name once per event, where the event enters; everything behind that point
// carries a PodId. The index by name holds the whole name, two string ids, so that a look-up reads
// no row. It grows only in `add`: `remove` and `find` neither allocate nor rehash.
//
// A row's state changes only in `set_state`, which asserts that the transition is legal:
//
//   gated <-> waiting -> in flight -> assumed -> binding -> bound
//                ^           |         |  |        ^ |
//                |           |         |  +-> permit-waiting
//                +-----------+---------+-------------+   refused, failed or rejected
//
// A pod that another scheduler placed goes from any state to bound. A pod without a node that is
// being deleted goes to terminating; a change of its object takes it back to the queue, which skips
// it again. Bound pods do not go back to waiting.
//
// One thread owns the table.

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/assert.h"
#include "engine/base/draw.h"
#include "engine/base/memory/chunk_memory.h"
#include "engine/model/pods/pod_id.h"
#include "engine/model/pods/pod_templates.h"

namespace berth::model {

using Slot = uint32_t;
inline constexpr Slot kNoSlot = UINT32_MAX;

enum class PodState : uint8_t {
  kWaiting,        // has no node and may get one: in the queue, refused, or not requested
  kGated,          // a PreEnqueue plugin keeps it out of the queue
  kInFlight,       // popped; a decision about it is being made
  kAssumed,        // counts on its node; not yet handed to binding
  kPermitWaiting,  // counts on its node; a Permit plugin holds it
  kBinding,        // counts on its node; in a binding cycle
  kBound,          // counts on its node
  kTerminating,    // being deleted, without a node
};

// The states that may follow each state, as bits by number of the state.
class FollowingStates {
 public:
  constexpr FollowingStates() {
    using enum PodState;
    const uint32_t back = bit(kWaiting) | bit(kTerminating) | bit(kBound);
    of(kWaiting) = back | bit(kGated) | bit(kInFlight);
    of(kGated) = back | bit(kGated);
    of(kInFlight) = back | bit(kAssumed);
    of(kAssumed) = back | bit(kPermitWaiting) | bit(kBinding);
    of(kPermitWaiting) = back | bit(kBinding);
    of(kBinding) = back;
    of(kBound) = bit(kBound);
    of(kTerminating) = bit(kWaiting) | bit(kGated) | bit(kBound);
  }
  constexpr bool may_follow(PodState before, PodState after) const {
    return (followers_[static_cast<size_t>(before)] & bit(after)) != 0;
  }

 private:
  static constexpr uint32_t bit(PodState state) { return 1u << static_cast<uint32_t>(state); }
  constexpr uint32_t& of(PodState state) { return followers_[static_cast<size_t>(state)]; }

  std::array<uint32_t, 8> followers_{};
};
inline constexpr FollowingStates kFollowingStates;

// One row.
struct PodRecord {
  PodId id;  // none: the record describes a pod that is not in the table

  StringId namespace_name = 0;
  StringId name = 0;
  StringId uid = 0;
  TemplateId pod_template = 0;
  LabelSetId labels = 0;
  ControllerId controller = 0;  // 0: none
  ShapeId shape = 0;            // of namespace, template, labels and controller; 0: not looked up
  StringId nominated_node = 0;  // as the pod's status names it; 0: none
  int32_t priority = 0;
  uint32_t attempts = 0;  // decisions made about the pod so far

  uint64_t arrival = 0;     // counts pods in the order in which they first entered the queue
  uint64_t queue_time = 0;  // order of the latest entry to the queue

  // Times in nanoseconds since the epoch of the clock that drives the cluster.
  int64_t created_at = 0;             // 0: not known
  std::optional<int64_t> started_at;  // nothing: not known

  Slot slot = kNoSlot;    // the node on which the pod counts; kNoSlot: none
  uint32_t position = 0;  // in that node's list of pods

  PodState state = PodState::kWaiting;
  bool terminating = false;      // metadata.deletionTimestamp is set
  bool preempted = false;        // terminating because the scheduler preempted it
  bool nominated = false;        // counts as nominated on nominated_node
  bool nominated_empty = false;  // and counts there as an empty pod (Cluster::empty_nomination)
  bool requested = false;        // arrived as work, to be scheduled here
  PodReady ready = PodReady::kNotTold;  // as its object tells

  bool placed() const { return slot != kNoSlot; }
};

class PodTable {
 public:
  // Adds a row with a new id; `record.id` is ignored. Precondition: no row has the record's
  // namespace and name, and the record counts on no node and is not nominated.
  PodId add(const PodRecord& record);
  // Removes the row. The id, and references to the row, are invalid from now on. Precondition:
  // the pod counts on no node and is not nominated.
  void remove(PodId id);

  // False for the empty id and for ids of removed pods.
  bool contains(PodId id) const {
    return id.index < rows_ && id.generation != 0 && row(id.index).id == id;
  }
  // Precondition: contains(id). The reference is valid until the pod is removed. Through at(), do
  // not change id, state, namespace_name or name: the table relies on them.
  const PodRecord& operator[](PodId id) const {
    BERTH_ASSERT(contains(id));
    return row(id.index);
  }
  PodRecord& at(PodId id) {
    BERTH_ASSERT(contains(id));
    return slots_[id.index].record;
  }
  // No id if no row has that name. String id 0 names nothing.
  PodId find(StringId namespace_name, StringId name) const;

  // Precondition: contains(id), and the transition is legal (see the top of this file).
  void set_state(PodId id, PodState state) {
    PodRecord& record = at(id);
    BERTH_ASSERT(kFollowingStates.may_follow(record.state, state));
    record.state = state;
  }

  size_t size() const { return rows_ - free_.size(); }  // pods

  // Calls visit(const PodRecord&) for each pod, in the order of rows. `visit` must not add or
  // remove pods.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (uint32_t index = 0; index < rows_; ++index)
      if (row(index).id) visit(row(index));
  }

 private:
  struct Row {
    PodRecord record;
    uint32_t generation = 0;  // of the latest pod here
  };

  const PodRecord& row(uint32_t index) const { return slots_[index].record; }
  struct Hash {
    size_t operator()(uint64_t key) const { return mix(key); }
  };
  static uint64_t key_of(StringId namespace_name, StringId name) {
    return uint64_t{namespace_name} << 32 | name;
  }

  ChunkedRows<Row, 10> slots_;
  uint32_t rows_ = 0;
  std::vector<uint32_t> free_;  // rows without a pod; the last is used next
  // Rows, by key_of().
  boost::unordered_flat_map<uint64_t, uint32_t, Hash, std::equal_to<>> by_name_;
};

}  // namespace berth::model
