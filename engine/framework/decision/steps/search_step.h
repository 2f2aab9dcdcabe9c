#pragma once

// The steps that find feasible rows: a node that is known before, alone, and the search.

#include "engine/framework/decision/open_decision.h"
#include "engine/framework/decision/refusals.h"
#include "engine/framework/decision/steps/extender_step.h"

namespace berth::framework {

// The number of feasible nodes that end a search over `nodes` nodes. `percentage`: 0..100; 0 gives
// 50 - nodes / 125 percent, at least 5. At least 100 nodes, or all if there are fewer. Source:
// kube-scheduler schedule_one.go numFeasibleNodesToFind.
uint32_t nodes_to_find(int32_t percentage, uint32_t nodes);

// Finds the node that the batch gives the pod: if the filters refuse the pod on the node of the pod
// before it, the batch's next node, which is tried like a nominated one. Source: kube-scheduler
// v1.36.2 runtime/batch.go.
class HintStep {
 public:
  // kNone: the decision has a hint.
  BatchMiss run(OpenDecision& open, RowFilter& rows);
};

class NominatedStep {
 public:
  // `extenders` outlives the step.
  explicit NominatedStep(ExtenderStep& extenders) : extenders_(extenders) {}

  // kDecided: the pod's nominated node, or else the node of its hint, is feasible. It is taken
  // without a search, and the start index does not move. A refusal or an error on that node does
  // not end the decision: the search follows. Source: kube-scheduler schedule_one.go
  // evaluateNominatedNode.
  Next run(OpenDecision& open, RowFilter& rows);

 private:
  ExtenderStep& extenders_;
};

// Filters rows from the start index on, or the rows that PreFilter narrowed the search to, and sets
// the start index of the next pod. Precondition of run: there are nodes.
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

// Completes the decision where there is nothing to choose: after an error, without a feasible row,
// and with a single one, which is not scored.
class SettleStep {
 public:
  // kGoOn: there are several feasible rows.
  Next run(OpenDecision& open, Refusals& refusals);
};

}  // namespace berth::framework
