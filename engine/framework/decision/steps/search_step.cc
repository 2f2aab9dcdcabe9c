#include "engine/framework/decision/steps/search_step.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/framework/batches/batch.h"

namespace berth::framework {
namespace {

constexpr uint32_t kFewestNodes = 100;
constexpr int32_t kLowestPercentage = 5;

// kNoRow: there is no such node.
model::Row row_of(const model::NodeTable& nodes, model::StringId name) {
  if (name == 0) return model::kNoRow;
  const model::Slot slot = nodes.find(name);
  return slot == model::NodeTable::kNoSlot ? model::kNoRow : nodes.row_of(slot);
}

}  // namespace

uint32_t nodes_to_find(int32_t percentage, uint32_t nodes) {
  if (nodes < kFewestNodes) return nodes;
  if (percentage == 0)
    percentage = std::max(kLowestPercentage, 50 - static_cast<int32_t>(nodes / 125));
  auto found = static_cast<uint32_t>(uint64_t{nodes} * static_cast<uint32_t>(percentage) / 100);
  return std::max(found, kFewestNodes);
}

// The pods that are nominated do not count on the node of the pod before.
BatchMiss HintStep::run(OpenDecision& open, RowFilter& rows) {
  Batch* batch = open.request->batch;
  if (batch == nullptr) return open.request->batch_miss.value_or(BatchMiss::kEmpty);
  const model::Row row = row_of(open.cluster.nodes(), batch->chosen());
  if (row == model::kNoRow) return BatchMiss::kNodeMissing;
  open.context.refresh_filters();
  const RowVerdict verdict = rows.pass(open.context, row, nullptr);
  if (verdict.refuser == kFeasible || verdict.code == BERTH_ERROR) return BatchMiss::kNodeNotFull;
  open.decision.hint = batch->next();
  return BatchMiss::kNone;
}

Next NominatedStep::run(OpenDecision& open, RowFilter& rows) {
  const model::StringId nominated = open.context.pod->nominated_node;
  model::Row row = row_of(open.cluster.nodes(), nominated != 0 ? nominated : open.decision.hint);
  if (row == model::kNoRow) return Next::kGoOn;
  open.context.refresh_filters();
  RowVerdict verdict = rows.check(open.context, row);
  if (verdict.refuser == kFeasible) {
    const std::optional<model::Row> passed = extenders_.filter_nominated(open, row);
    if (!passed) return Next::kGoOn;
    row = *passed;
    open.found.listed = true;
    open.found.list.push_back(row);
    open.found.refuser[row] = kFeasible;
    open.decision.outcome = Outcome::kScheduled;
    open.decision.row = row;
    open.decision.evaluated = open.decision.feasible = 1;
    return Next::kDecided;
  }
  if (verdict.code != BERTH_ERROR)
    open.nominated = NominatedRefusal{row, std::move(verdict), false};
  return Next::kGoOn;
}

void SearchStep::run(OpenDecision& open) {
  Search search;
  model::Row all = open.cluster.nodes().rows();
  BERTH_ASSERT(all != 0);
  auto count = open.narrowed ? static_cast<uint32_t>(open.narrowed->rows.size()) : all;
  if (open.narrowed) search.only = &open.narrowed->rows;
  search.wanted = wanted(open.context, count);
  search.start = count == 0 ? 0 : open.request->start % count;
  if (count != 0) evaluator_.filter(open.context, search, open.found);
  if (open.nominated) {
    bool searched = false;
    open.found.for_each_row([&](model::Row row) { searched |= row == open.nominated->row; });
    open.nominated->outside = !searched;
  }
  uint32_t statuses = open.found.refused + (open.nominated && open.nominated->outside ? 1 : 0);
  if (open.extended) {
    // Of the nominated node; those that the filters refused now have the filters' status.
    open.found.for_each_row([&](model::Row row) {
      if (open.found.refuser[row] != kFeasible) open.extended->by_row.erase(row);
    });
    statuses += open.extended->statuses();
  }
  open.decision.feasible = open.found.feasible;
  open.decision.evaluated = open.found.feasible + statuses;
  open.decision.next_start = (open.request->start + open.decision.evaluated) % all;
}

uint32_t SearchStep::wanted(const DecisionContext& context, uint32_t nodes) const {
  if (options_.every_node) return nodes;
  const Extenders* extenders = options_.extenders;
  const bool chooses = !context.profile->score.empty() ||
                       (extenders != nullptr && (extenders->filters() || extenders->prioritizes()));
  if (!chooses) return 1;
  int32_t percentage = context.profile->percentage_of_nodes_to_score().value_or(
      options_.percentage_of_nodes_to_score);
  return nodes_to_find(options_.forced_percentage.value_or(percentage), nodes);
}

Next SettleStep::run(OpenDecision& open, Refusals& refusals) {
  if (open.found.error) {
    open.fail(open.found.error->text);
    return Next::kDecided;
  }
  if (open.found.feasible == 0) {
    refusals.explain(open);
    return Next::kDecided;
  }
  if (open.found.feasible > 1) return Next::kGoOn;
  open.decision.outcome = Outcome::kScheduled;
  open.decision.row = open.found.only_feasible();
  return Next::kDecided;
}

}  // namespace berth::framework
