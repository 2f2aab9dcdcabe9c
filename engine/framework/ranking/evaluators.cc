#include "engine/framework/ranking/evaluators.h"

#include "engine/framework/evaluation/reference.h"
#include "engine/framework/ranking/ranking_evaluator.h"

namespace berth::framework {

std::unique_ptr<Evaluator> make_evaluator(Evaluation evaluation, model::Cluster& cluster,
                                          host::CallContext& calls, const FullOptions& options) {
  switch (evaluation) {
    case Evaluation::kReference:
      return std::make_unique<ReferenceEvaluator>(cluster, calls);
    case Evaluation::kFull:
      return std::make_unique<BatchEvaluator>(cluster, calls, options);
    case Evaluation::kIncremental:
      break;
  }
  return std::make_unique<RankingEvaluator>(cluster, calls, options);
}

}  // namespace berth::framework
