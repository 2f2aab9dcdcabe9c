#pragma once

// Why rows are refused: of a pod without a feasible row, and of any row on request.

#include "engine/framework/decision/open_decision.h"

namespace berth::framework {

// "[a b]"
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
