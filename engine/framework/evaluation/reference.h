#pragma once

// The reference evaluation: one row after the other, hooks in order, early exit, no caches. See
// evaluator.h.

#include "engine/framework/evaluation/rows/row_filter.h"

namespace berth::framework {

// The view of a node that scores have: all that the model has, or the node's object alone, as if
// its pods and images were unknown. The latter is for nodes that an extender answered with. Counts
// of pods by domain are not the node's own and stay.
enum class NodeView : uint8_t { kModel, kObjectAlone };

// One thread, that which owns the model. The cluster and the context outlive it.
class ReferenceEvaluator final : public Evaluator {
 public:
  // `view`: for scores.
  ReferenceEvaluator(model::Cluster& cluster, host::CallContext& calls,
                     NodeView view = NodeView::kModel)
      : cluster_(cluster), calls_(calls), view_(view), rows_(cluster, calls) {}

  Reuse reuse() const override { return Reuse::kFresh; }
  void filter(const DecisionContext& cycle, const Search& search,
              SearchResult& search_result) override;
  std::string score(const DecisionContext& cycle, SearchResult& search_result) override;
  std::vector<HookScores> scores() const override { return scores_; }

 private:
  std::string score_hook(const DecisionContext& cycle, size_t hook,
                         const std::vector<model::Row>& rows, std::vector<int64_t>& raw);
  void strip(const TemplateHook& state);
  std::string normalise(const HookAt<host::Score>& hook, const void* state,
                        const std::vector<model::Row>& rows, const std::vector<int64_t>& raw,
                        std::vector<int64_t>& final);

  struct ByRow {
    std::vector<int64_t> raw, final;
  };

  model::Cluster& cluster_;
  host::CallContext& calls_;
  NodeView view_;
  RowFilter rows_;
  CallColumns columns_;
  std::vector<ByRow> by_row_;  // by position in the list of scores
  std::vector<HookScores> scores_;
};

}  // namespace berth::framework
