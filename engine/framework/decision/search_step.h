#pragma once

// The steps that find feasible rows: the nominated node alone, and the search.

#include "engine/framework/decision/open_decision.h"
#include "engine/framework/decision/refusals.h"

namespace berth::framework {

// The number of feasible nodes that end a search. Source: kube-scheduler schedule_one.
uint32_t nodes_to_find(int32_t percentage, uint32_t nodes);

class NominatedStep {
 public:
  // kDecided: the pod's nominated node is feasible. It is taken without looking at others, and the
  // start index stays. An error there is no outcome: the search finds it again, or does not.
  Next run(OpenDecision& open, RowFilter& rows);
};

class SearchStep {
 public:
  SearchStep(Evaluator& evaluator, const DecideOptions& options)
      : evaluator_(evaluator), options_(options) {}

  void run(OpenDecision& open);

 private:
  uint32_t wanted(const DecisionContext& context, uint32_t nodes) const;

  Evaluator& evaluator_;
  const DecideOptions& options_;
};

// Decides where there is nothing to choose: after an error, without a feasible row, with one.
class SettleStep {
 public:
  Next run(OpenDecision& open, Refusals& refusals);
};

}  // namespace berth::framework
