#include "engine/framework/decision/refusals.h"

#include <algorithm>
#include <set>

#include "engine/base/assert.h"
#include "engine/base/text/joined.h"

namespace berth::framework {
namespace {

// Names the plugins that refused the pod before the search: those that narrowed it, and the filter
// that refused the nominated node. Precondition: the search was narrowed. Source: kube-scheduler
// schedule_one.go findNodesThatFitPod, where evaluateNominatedNode adds to the same set.
std::string narrowed_reason(const OpenDecision& open) {
  BERTH_ASSERT(open.narrowed.has_value());
  std::set<std::string> plugins(open.narrowed->plugins.begin(), open.narrowed->plugins.end());
  if (open.nominated) {
    const size_t filter = open.nominated->verdict.refuser - size_t{1};
    plugins.insert(open.context.profile->filter[filter].point->plugin());
  }
  return "node(s) didn't satisfy plugin(s) " + joined_plugins({plugins.begin(), plugins.end()});
}

}  // namespace

std::string joined_plugins(const std::vector<std::string>& names) {
  return "[" + joined(names, " ") + "]";
}

namespace {

// Plugins that narrowed the search count as well: more nodes may be among theirs later.
void name_refusers(OpenDecision& open, const std::set<Refuser>& of_rows) {
  Refusers& refusers = open.decision.refused_by;
  const auto& filters = open.context.profile->filter;
  if (open.narrowed)
    for (const std::string& plugin : open.narrowed->plugins)
      refusers.add(plugin, BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);
  const auto add = [&](Refuser refuser, uint8_t code) {
    if (refuser == kFeasible || refuser == kByExtender) return;
    refusers.add(filters[refuser - size_t{1}].point->plugin(), code);
  };
  for (const Refuser refuser : of_rows) add(refuser, BERTH_UNSCHEDULABLE);
  if (open.nominated) add(open.nominated->verdict.refuser, open.nominated->verdict.code);
  if (!open.extended) return;
  for (const auto& [refuser, code] : open.extended->overwritten) add(refuser, code);
  if (open.extended->dropped) refusers.add(std::string(kExtenderPlugin), BERTH_UNSCHEDULABLE);
}

void count_statuses(const Extended& extended, ReasonCounts& reasons) {
  for (const auto& [row, status] : extended.by_row) ++reasons[status.text];
  for (const auto& [name, status] : extended.elsewhere) ++reasons[status.text];
}

}  // namespace

void Refusals::explain(OpenDecision& open) {
  BERTH_ASSERT(open.found.feasible == 0 && !open.found.error);
  open.context.refresh_filters();
  Decision& decision = open.decision;
  decision.outcome = Outcome::kUnschedulable;
  model::Row all = open.cluster.nodes().rows();
  const bool by_filters = !open.extended && !open.found.listed && open.found.refused == all;
  CountedReasons counted = by_filters ? counter_.count_all(open.context, open.found)
                                      : counter_.count(open.context, open.found);
  decision.reasons = std::move(counted.counts);
  if (open.extended) count_statuses(*open.extended, decision.reasons);
  const bool renamed =
      open.nominated && open.extended && open.extended->by_row.contains(open.nominated->row);
  if (open.nominated && open.nominated->outside && !renamed) {
    const size_t filter = open.nominated->verdict.refuser - size_t{1};
    for (std::string& reason : rows().reasons(open.context, filter, open.nominated->row))
      ++decision.reasons[std::move(reason)];
  }
  if (open.narrowed && decision.evaluated < all)
    decision.reasons[narrowed_reason(open)] += all - decision.evaluated;
  decision.message = fit_error(all, decision.reasons);
  name_refusers(open, counted.refusers);
}

std::optional<Refusal> Refusals::of(const OpenDecision& open, model::Row row) {
  BERTH_ASSERT(open.context.filters_resolved() && row < open.cluster.nodes().rows());
  open.context.refresh_filters();
  bool searched = false;
  open.found.for_each_row([&](model::Row seen) { searched |= seen == row; });
  RowVerdict verdict{open.found.refuser[row], open.found.code[row], {}};
  const bool passed = searched && verdict.refuser == kFeasible;
  if (open.extended && !passed && open.extended->by_row.contains(row)) {
    const ExtenderStatus& status = open.extended->by_row.at(row);
    return Refusal{std::string(kExtenderPlugin), status.code, {status.text}};
  }
  if (searched && verdict.refuser == kByExtender)
    return Refusal{std::string(kExtenderPlugin), kLeftOut, {}};
  if (!searched && open.nominated && open.nominated->row == row) {
    verdict = open.nominated->verdict;
  } else if (!searched && open.narrowed &&
             !std::binary_search(open.narrowed->rows.begin(), open.narrowed->rows.end(), row)) {
    return Refusal{"PreFilter", BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, {narrowed_reason(open)}};
  } else if (!searched) {
    verdict = rows().check(open.context, row);
  }
  if (verdict.refuser == kFeasible) return std::nullopt;
  size_t filter = verdict.refuser - size_t{1};
  std::vector<std::string> reasons = verdict.code == BERTH_ERROR
                                         ? std::vector<std::string>{verdict.error}
                                         : rows().reasons(open.context, filter, row);
  return Refusal{open.context.profile->filter[filter].point->plugin(), verdict.code,
                 std::move(reasons)};
}

}  // namespace berth::framework
