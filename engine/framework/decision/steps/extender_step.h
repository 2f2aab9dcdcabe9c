#pragma once

// The steps of a decision in which extenders take part. Without extenders they are not run.

#include <optional>
#include <vector>

#include "engine/framework/decision/extenders.h"
#include "engine/framework/decision/open_decision.h"

namespace berth::framework {

class ExtenderStep {
 public:
  explicit ExtenderStep(Extenders* extenders) : extenders_(extenders) {}

  bool filters() const { return extenders_ != nullptr; }
  // Asks about the nominated node, which the filters passed. Returns the node that passes; nothing
  // if it is refused, or if an extender failed: then the search follows.
  std::optional<model::Row> filter_nominated(OpenDecision& open, model::Row row);
  // Takes the rows that extenders refuse from those that the search found. kDecided: an extender
  // failed.
  Next filter(OpenDecision& open);
  // Adds the scores of extenders to the totals.
  void prioritize(OpenDecision& open);
  // The decision is over.
  void end() {
    if (extenders_ != nullptr) extenders_->end_decision();
  }

 private:
  void take_refusals(OpenDecision& open, std::vector<ExtenderFilter::Refused>& refused);
  void add_rows(OpenDecision& open, const std::vector<model::Row>& rows);
  void mark(OpenDecision& open, const std::vector<model::Row>& rows);

  Extenders* extenders_;
  std::vector<bool> passed_;  // by row
};

}  // namespace berth::framework
