#include "engine/framework/decision/refusals.h"

#include <algorithm>

namespace berth::framework {
namespace {

std::string narrowed_reason(const Narrowed& narrowed) {
  return "node(s) didn't satisfy plugin(s) " + joined_plugins(narrowed.plugins);
}

}  // namespace

std::string joined_plugins(const std::vector<std::string>& names) {
  std::string text = "[";
  for (size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : " ") + names[i];
  return text + "]";
}

namespace {

// Plugins that narrowed the search count as well: more nodes may be among theirs later.
void name_refusers(OpenDecision& open) {
  Refusers& refusers = open.decision.refused_by;
  const auto& filters = open.context.profile->filter;
  if (open.narrowed)
    for (const std::string& plugin : open.narrowed->plugins)
      refusers.add(plugin, BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);
  std::vector<bool> seen(filters.size());
  const auto add = [&](Refuser refuser, uint8_t code) {
    if (refuser == kFeasible || seen[refuser - size_t{1}]) return;
    seen[refuser - size_t{1}] = true;
    refusers.add(filters[refuser - size_t{1}].point->plugin(), code);
  };
  open.found.for_each_row(
      [&](model::Row row) { add(open.found.refuser[row], open.found.code[row]); });
  if (open.nominated) add(open.nominated->verdict.refuser, open.nominated->verdict.code);
}

}  // namespace

void Refusals::explain(OpenDecision& open) {
  Decision& decision = open.decision;
  decision.outcome = Outcome::kUnschedulable;
  decision.reasons = counter_.count(open.context, open.found);
  model::Row all = open.cluster.nodes().rows();
  if (open.nominated && open.nominated->outside) {
    const size_t filter = open.nominated->verdict.refuser - size_t{1};
    for (std::string& reason : rows().reasons(open.context, filter, open.nominated->row))
      ++decision.reasons[std::move(reason)];
  }
  if (open.narrowed && decision.evaluated < all)
    decision.reasons[narrowed_reason(*open.narrowed)] += all - decision.evaluated;
  decision.message = fit_error(all, decision.reasons);
  name_refusers(open);
}

std::optional<Refusal> Refusals::of(const OpenDecision& open, model::Row row) {
  bool searched = false;
  open.found.for_each_row([&](model::Row seen) { searched |= seen == row; });
  RowVerdict verdict{open.found.refuser[row], open.found.code[row], {}};
  if (!searched && open.nominated && open.nominated->row == row) {
    verdict = open.nominated->verdict;
  } else if (!searched && open.narrowed &&
             !std::binary_search(open.narrowed->rows.begin(), open.narrowed->rows.end(), row)) {
    return Refusal{
        "PreFilter", BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, {narrowed_reason(*open.narrowed)}};
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
