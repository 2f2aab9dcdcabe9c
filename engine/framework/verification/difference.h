#pragma once

// The first difference between a decision and the same decision by the reference evaluation, in
// words that tell where to look.

#include <optional>
#include <string>

#include "engine/base/error.h"
#include "engine/framework/decision/decide.h"

namespace berth::framework {

struct Difference {
  std::string what;             // differs: "raw score", "feasible nodes"
  std::string node;             // that it is about; empty: about the pod
  std::string plugin;           // whose answer differs; empty: no answer of a plugin does
  std::string point;            // such as "Filter"
  std::string declared;         // the inputs that this hook declares
  std::string mine, reference;  // the two values
};

// A decision with its details. All of it outlives the comparison.
struct Decided {
  const Decider& decider;
  const Decision& decision;
};

// Compares in the order in which a decision is made, so that the first difference is the cause of
// those after it: answers of PreFilter, verdicts by row, answers of PreScore, raw scores, final
// scores, totals, and then the decision itself. Nothing if they are equal. Precondition: the model
// was not modified since both decisions were made.
std::optional<Difference> first_difference(const model::Cluster& cluster, const Decided& mine,
                                           const Decided& reference);

// Ends the run: a verified decision differs.
class EvaluationDiffers : public Error {
 public:
  using Error::Error;
};

// The whole explanation. `pod`: NAMESPACE/NAME. `number`: of the decision in the run, from 1.
// `evaluation`: name of the one that was verified.
EvaluationDiffers explain(const Difference& difference, const std::string& pod, uint64_t number,
                          const std::string& evaluation);

}  // namespace berth::framework
