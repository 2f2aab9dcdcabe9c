#include "engine/framework/decision/steps/extender_step.h"

#include <algorithm>

#include "berth/abi/base.h"

namespace berth::framework {

std::optional<model::Row> ExtenderStep::filter_nominated(OpenDecision& open, model::Row row) {
  if (extenders_ == nullptr) return row;
  ExtenderFilter answer = extenders_->filter(*open.context.pod, {row});
  if (!answer.error.empty()) return std::nullopt;
  take_refusals(open, answer.refused);
  if (answer.rows.empty()) return std::nullopt;
  open.found.grow(open.cluster.nodes().rows());
  return answer.rows.front();
}

// The decision that ends in a node pays for nothing here but the calls.
Next ExtenderStep::filter(OpenDecision& open) {
  if (extenders_ == nullptr || open.found.error) return Next::kGoOn;
  if (!open.extended) open.extended.emplace();
  std::vector<model::Row> rows;
  open.found.for_each_row([&](model::Row row) {
    if (open.found.refuser[row] == kFeasible) rows.push_back(row);
  });
  const size_t asked = rows.size();
  open.found.own();
  if (asked != 0) {
    ExtenderFilter answer = extenders_->filter(*open.context.pod, std::move(rows));
    if (!answer.error.empty()) {
      open.fail(std::move(answer.error));
      return Next::kDecided;
    }
    take_refusals(open, answer.refused);
    open.extended->objects_alone = answer.objects_alone;
    rows = std::move(answer.rows);
  }
  open.extended->dropped = rows.size() != asked;
  mark(open, rows);
  open.extended->rows = std::move(rows);
  return Next::kGoOn;
}

void ExtenderStep::take_refusals(OpenDecision& open,
                                 std::vector<ExtenderFilter::Refused>& refused) {
  if (!open.extended) open.extended.emplace();
  const model::NodeTable& nodes = open.cluster.nodes();
  for (ExtenderFilter::Refused& one : refused) {
    const model::StringId name = open.cluster.strings().find(one.node);
    const model::Slot slot = name == 0 ? model::kNoSlot : nodes.find(name);
    const bool is_node = slot != model::kNoSlot && nodes.node(slot).present;
    const ExtenderStatus status{one.code, std::move(one.text)};
    if (is_node) {
      open.extended->by_row.insert_or_assign(nodes.row_of(slot), status);
    } else {
      open.extended->elsewhere.insert_or_assign(std::move(one.node), status);
    }
  }
}

// Takes rows that pass and were not searched into the result: an extender may answer with objects
// of other nodes.
void ExtenderStep::add_rows(OpenDecision& open, const std::vector<model::Row>& rows) {
  SearchResult& found = open.found;
  if (!open.extended->objects_alone) return;
  passed_.assign(open.cluster.nodes().rows(), false);
  std::vector<model::Row> searched;
  found.for_each_row([&](model::Row row) {
    searched.push_back(row);
    passed_[row] = true;
  });
  const size_t before = searched.size();
  for (const model::Row row : rows)
    if (!passed_[row]) searched.push_back(row);
  if (searched.size() == before) return;
  found.grow(open.cluster.nodes().rows());
  found.list = std::move(searched);
  found.listed = true;
  for (size_t i = before; i < found.list.size(); ++i) found.refuser[found.list[i]] = kFeasible;
}

// A status that an extender gives takes the place of a filter's. A row that was left out without a
// status is one that evictions do not help.
void ExtenderStep::mark(OpenDecision& open, const std::vector<model::Row>& rows) {
  SearchResult& found = open.found;
  Extended& extended = *open.extended;
  add_rows(open, rows);
  passed_.assign(open.cluster.nodes().rows(), false);
  for (const model::Row row : rows) passed_[row] = true;
  uint32_t by_filters = 0;
  found.for_each_row([&](model::Row row) {
    const auto status = extended.by_row.find(row);
    const bool named = status != extended.by_row.end();
    const bool filtered = found.refuser[row] != kFeasible;
    by_filters += filtered && !named;
    if (passed_[row]) {
      found.refused -= filtered;
      found.refuser[row] = kFeasible;
      return;
    }
    if (filtered && !named) return;
    if (filtered) extended.overwritten.emplace_back(found.refuser[row], found.code[row]);
    found.refused += !filtered;
    found.refuser[row] = kByExtender;
    found.code[row] = named ? status->second.code : uint8_t{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE};
  });
  if (open.nominated && open.nominated->outside && !extended.by_row.contains(open.nominated->row))
    ++by_filters;
  found.feasible = static_cast<uint32_t>(rows.size());
  open.decision.feasible = found.feasible;
  open.decision.evaluated = found.feasible + by_filters + extended.statuses();
}

// Wraps around, as the scores of extenders do in kube-scheduler, but stays a total of a feasible
// row.
void ExtenderStep::prioritize(OpenDecision& open) {
  if (extenders_ == nullptr || !extenders_->prioritizes()) return;
  open.extended->scores = extenders_->prioritize(*open.context.pod, open.extended->rows);
  open.found.own();
  int64_t* total = open.found.totals;
  for (const ExtenderScores& scores : open.extended->scores)
    for (const auto& [row, weighted] : scores.weighted)
      total[row] =
          static_cast<int64_t>(static_cast<uint64_t>(total[row]) + static_cast<uint64_t>(weighted));
  for (const model::Row row : open.extended->rows)
    total[row] = std::max(total[row], kLowestTotal + 1);
}

}  // namespace berth::framework
