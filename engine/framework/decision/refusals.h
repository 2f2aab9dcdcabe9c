#pragma once

// The reasons of refused rows: for a pod without a feasible row, and for any row on request.

#include "engine/framework/decision/open_decision.h"

namespace berth::framework {

// Formats names as Go prints a list of strings: "[a b]".
std::string joined_plugins(const std::vector<std::string>& names);

class Refusals {
 public:
  Refusals(model::Cluster& cluster, host::CallContext& calls) : counter_(cluster, calls) {}

  // Makes the decision kUnschedulable, with its reasons counted. Precondition: the search found no
  // feasible row.
  void explain(OpenDecision& open);
  // See Decider::refusal.
  std::optional<Refusal> of(const OpenDecision& open, model::Row row);
  RowFilter& rows() { return counter_.rows(); }

 private:
  ReasonCounter counter_;
};

}  // namespace berth::framework
