#pragma once

// The steps of a decision in which extenders take part. Without extenders they are not run.

#include "engine/framework/decision/extenders.h"
#include "engine/framework/decision/open_decision.h"

namespace berth::framework {

class ExtenderStep {
 public:
  explicit ExtenderStep(Extenders* extenders) : extenders_(extenders) {}

  bool filters() const { return extenders_ != nullptr; }
  // Asks about the nominated node, which the filters passed. False if it is refused, or if an
  // extender failed: then the search follows.
  bool filter_nominated(OpenDecision& open, model::Row row);
  // Takes the rows that extenders refuse from those that the search found. kDecided: an extender
  // failed.
  Next filter(OpenDecision& open);
  // Adds the scores of extenders to the totals.
  void prioritize(OpenDecision& open);

 private:
  void take_refusals(OpenDecision& open, std::vector<ExtenderFilter::Refused>& refused);
  void mark(OpenDecision& open, const std::vector<model::Row>& rows);

  Extenders* extenders_;
  std::vector<bool> passed_;  // by row
};

}  // namespace berth::framework
