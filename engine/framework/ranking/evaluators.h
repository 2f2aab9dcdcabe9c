#pragma once

// Makes the evaluators of evaluator.h.

#include <memory>

#include "engine/framework/evaluation/evaluator.h"
#include "engine/framework/evaluation/rows/row_work.h"

namespace berth::framework {

// The cluster, the context and the workers outlive the evaluator. The reference evaluation has one
// thread for everything and takes no options.
std::unique_ptr<Evaluator> make_evaluator(Evaluation evaluation, model::Cluster& cluster,
                                          host::CallContext& calls, const FullOptions& options);

}  // namespace berth::framework
