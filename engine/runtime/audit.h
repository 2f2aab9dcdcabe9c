#pragma once

// Checks that the model, the queue and the binding cycles fit together:
// - Each pod is in exactly one place: in one place of the queue, waiting in Permit, in a binding
//   batch, or bound; and its state, its node and its nomination say the same.
// - What columns hold as requested of a node is the sum over the pods that are assumed or bound
//   there, and every count and sum by domain equals a recount.
// The state is consistent between two calls of the core, and need not be within one.
//
// An audit reads every pod once for each count, so its pace follows its cost. One thread.

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/model/cluster/cluster.h"

namespace berth::runtime {

class Scheduler;

// Describes the first thing that is wrong, with the names of pod and node; empty: nothing is.
std::string first_fault(const model::Cluster& cluster, const Scheduler& scheduler);

// A step is one call that changes the state of the core.
enum class AuditPace : uint8_t {
  kNever,
  // So rarely that audits take less than a hundredth of the time: 0.5 % of the instructions of
  // `berth run` over the preset mixed with 1,000 nodes, 0.4 % with 5,000.
  kSparse,
  kDense,      // after every step of a small cluster, less often in a large one
  kEveryStep,  // whatever it costs
};

#ifdef NDEBUG
inline constexpr AuditPace kBuildsAuditPace = AuditPace::kSparse;
#else
inline constexpr AuditPace kBuildsAuditPace = AuditPace::kDense;
#endif

// Decides which steps an audit follows.
class Auditor {
 public:
  explicit Auditor(AuditPace pace) : pace_(pace), left_(steps_for(0)), waited_(left_) {}

  // To be called once for each step: true if an audit may be due.
  bool due() { return pace_ != AuditPace::kNever && left_-- <= 1; }
  // To be called when one may be. True if the steps since the last audit pay for one that looks at
  // that many values (Cluster::fault_cost); false: it is postponed until they do.
  bool pays(size_t cost);

 private:
  uint64_t steps_for(size_t cost) const;

  AuditPace pace_;
  uint64_t left_;    // steps until the next audit may be due
  uint64_t waited_;  // steps from the last audit until then
};

// The calls from outside that change the core. Within one, actors and the server call its door:
// only between calls from outside is the state consistent, and are ids retired.
class Audits {
 public:
  // For the length of a call.
  class Call {
   public:
    explicit Call(Audits& audits) : audits_(audits) { ++audits_.depth_; }
    ~Call() { --audits_.depth_; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    Audits& audits_;
  };

  // Both outlive the audits.
  Audits(AuditPace pace, const model::Cluster& cluster, const Scheduler& scheduler)
      : auditor_(pace), cluster_(cluster), scheduler_(scheduler) {}

  // True in a call that is not within another one.
  bool outermost() const { return depth_ == 1; }
  // To be called at the end of what changes the state. A fault ends the program with its
  // description.
  void audit() {
    if (outermost() && auditor_.due()) audit_now();
  }

 private:
  void audit_now();

  Auditor auditor_;
  const model::Cluster& cluster_;
  const Scheduler& scheduler_;
  size_t depth_ = 0;
};

}  // namespace berth::runtime
