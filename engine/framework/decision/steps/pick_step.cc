#include "engine/framework/decision/steps/pick_step.h"

#include "engine/base/draw.h"

namespace berth::framework {

std::optional<model::Row> PickStep::preferred_row(const model::Cluster& cluster) {
  if (preferred_ == 0) return std::nullopt;
  const model::NodeTable& nodes = cluster.nodes();
  for (uint64_t i = 0; i < best_.count(); ++i)
    if (nodes.node(nodes.slot_of(best_.at(i))).name == preferred_) return best_.at(i);
  return std::nullopt;
}

void PickStep::run(OpenDecision& open) {
  Decision& decision = open.decision;
  decision.outcome = Outcome::kScheduled;
  best_.find(open.found);
  if (const std::optional<model::Row> preferred = preferred_row(open.cluster)) {
    decision.row = *preferred;
    return;
  }
  if (options_.tie_break == TieBreak::kName) {
    const model::Cluster& cluster = open.cluster;
    decision.row = best_.first_by(
        [&](model::Row a, model::Row b) { return cluster.node_name(a) < cluster.node_name(b); });
    return;
  }
  const Request& request = *open.request;
  decision.draw = draw(options_.seed, request.pod->arrival, request.attempt, Purpose::kTieBreak);
  decision.row = best_.at(below(decision.draw, best_.count()));
}

}  // namespace berth::framework
