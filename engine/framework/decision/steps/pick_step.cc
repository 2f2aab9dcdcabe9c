#include "engine/framework/decision/steps/pick_step.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <unordered_set>

#include "engine/base/draw.h"

namespace berth::framework {

std::optional<model::Row> PickStep::preferred_row(const model::Cluster& cluster) {
  if (preferred_ == 0) return std::nullopt;
  const model::NodeTable& nodes = cluster.nodes();
  for (uint64_t i = 0; i < best_.count(); ++i)
    if (nodes.node(nodes.slot_of(best_.at(i))).name == preferred_) return best_.at(i);
  return std::nullopt;
}

uint64_t PickStep::draw_below(OpenDecision& open, uint64_t count) const {
  const Request& request = *open.request;
  open.decision.draw =
      draw(options_.seed, request.pod->arrival, request.attempt, Purpose::kTieBreak);
  return below(open.decision.draw, count);
}

// The rows of `best` that some extender scored, if only with 0.
std::vector<model::Row> PickStep::scored_by_extenders(const OpenDecision& open,
                                                      std::vector<model::Row> best) const {
  if (options_.extenders->scores_all(*open.context.pod)) return best;
  std::unordered_set<model::Row> scored;
  for (const ExtenderScores& scores : open.extended->scores)
    for (const auto& [row, weighted] : scores.weighted) scored.insert(row);
  std::erase_if(best, [&](model::Row row) { return !scored.contains(row); });
  return best;
}

// Extenders give the feasible rows an order of their own.
model::Row PickStep::by_heap_of_extenders(OpenDecision& open) const {
  const std::vector<model::Row>& rows = open.extended->rows;
  const int64_t highest = open.found.total(best_.at(0));
  const auto is_best = [&](model::Row row) { return open.found.total(row) == highest; };
  std::vector<model::Row> best;
  std::ranges::copy_if(rows, std::back_inserter(best), is_best);
  const std::vector<model::Row> scored = scored_by_extenders(open, std::move(best));
  if (!scored.empty()) return scored[draw_below(open, scored.size())];
  return rows[*heap_winner(rows.size(), [&](uint64_t at) { return is_best(rows[at]); })];
}

model::Row PickStep::among_several(OpenDecision& open) {
  const model::Cluster& cluster = open.cluster;
  switch (options_.tie_break) {
    case TieBreak::kName:
      return best_.first_by(
          [&](model::Row a, model::Row b) { return cluster.node_name(a) < cluster.node_name(b); });
    case TieBreak::kHeap:
      return open.extended ? by_heap_of_extenders(open) : best_.first_in_heap();
    case TieBreak::kRandom:
      break;
  }
  return best_.at(draw_below(open, best_.count()));
}

void PickStep::keep_scores(const SearchResult& found) {
  scored_.clear();
  if (found.listed) {
    for (const model::Row row : found.list)
      if (found.refuser[row] == kFeasible) scored_.push_back({row, found.total(row)});
    return;
  }
  found.for_each_block([&](uint32_t block, uint64_t within) {
    for (uint64_t rows = within & found.feasible_of(block); rows != 0; rows &= rows - 1) {
      const auto row =
          static_cast<model::Row>(block * 64) + static_cast<model::Row>(std::countr_zero(rows));
      scored_.push_back({row, found.total(row)});
    }
  });
}

void PickStep::run(OpenDecision& open) {
  Decision& decision = open.decision;
  decision.outcome = Outcome::kScheduled;
  best_.find(open.found);
  const std::optional<model::Row> preferred = preferred_row(open.cluster);
  decision.row = preferred ? *preferred : among_several(open);
  if (open.request->keeps_scores) keep_scores(open.found);
}

}  // namespace berth::framework
