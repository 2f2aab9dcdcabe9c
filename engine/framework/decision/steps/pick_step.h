#pragma once

// The step that picks one of the best rows.

#include <optional>

#include "engine/framework/decision/open_decision.h"
#include "engine/framework/evaluation/scores/best_rows.h"

namespace berth::framework {

// Picks the row with the best total. Among several, the random draw selects one, counted
// in row order, or the first by node name is taken (TieBreak). Makes the decision kScheduled.
class PickStep {
 public:
  explicit PickStep(const DecideOptions& options) : options_(options) {}

  void run(OpenDecision& open);

  // See Decider::prefer.
  void prefer(model::StringId node) { preferred_ = node; }

 private:
  std::optional<model::Row> preferred_row(const model::Cluster& cluster);

  const DecideOptions& options_;
  BestRows best_;
  model::StringId preferred_ = 0;
};

}  // namespace berth::framework
