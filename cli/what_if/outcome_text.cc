#include <fmt/format.h>

#include "cli/diff/side_text.h"
#include "cli/what_if/outcome_rows.h"
#include "engine/base/text/number_text.h"

namespace berth::cli {
namespace {

constexpr size_t kFew = 10, kFewNodes = 3;

void steps_text(SideText& text, const WhatIf& answer, bool all) {
  if (answer.steps.empty()) return;
  text.heading("Steps");
  for (const StepOutcome& step : answer.steps) {
    text.line(step_title(step));
    for (const std::string& line : step_lines(step, all ? SIZE_MAX - 1 : kFewNodes))
      text.line("  " + line);
  }
  if (answer.lost_otherwise != 0)
    text.line(fmt::format("{} left for other reasons, such as preemption",
                          plural(answer.lost_otherwise, "pod")));
}

void reasons_text(SideText& text, const WhatIf& answer) {
  const std::vector<SideRow> rows = reason_rows(answer);
  if (rows.empty()) return;
  text.heading("Why pods wait");
  for (const SideRow& row : rows)
    text.line(fmt::format("{:>8} {:>8}  {}", row.values[0], row.values[1], row.label));
}

void budgets_text(SideText& text, const WhatIf& answer, bool all) {
  const size_t most = all ? SIZE_MAX - 1 : kFewNodes;
  const std::vector<std::string> drains = drain_lines(answer, most);
  if (!drains.empty()) text.heading("Drains that are not done");
  for (const std::string& line : drains) text.line(line);
  if (!answer.refusals.empty()) text.heading("Evictions that budgets refused");
  for (const BudgetRefusal& one : answer.refusals)
    text.line(fmt::format("{:>8}  {}", grouped(one.pods.size()), one.text));
}

void moves_text(SideText& text, const WhatIf& answer) {
  const auto moves = zone_moves(answer);
  if (moves.empty()) return;
  text.heading("Moves by zone");
  for (const auto& [zones, pods] : moves) text.line(fmt::format("{:>8}  {}", grouped(pods), zones));
}

void pods_text(SideText& text, const WhatIf& answer, bool all) {
  const std::vector<size_t> order = by_importance(answer);
  if (order.empty()) return;
  const size_t shown = all || order.size() <= kFew + 1 ? order.size() : kFew;
  text.heading("Pods");
  for (size_t i = 0; i < shown; ++i) {
    const PodChange& change = answer.changes[order[i]];
    text.line(fmt::format("{:<36} {}", change.pod, way_text(change)));
    const std::string why = why_text(change);
    if (!why.empty() && (all || is_worse(change.fate))) text.line("    " + why);
  }
  if (shown < order.size())
    text.line(fmt::format("... and {} more; -o wide prints all", grouped(order.size() - shown)));
}

}  // namespace

std::string to_text(const WhatIf& answer, bool all) {
  SideText text;
  text.heading(headline(answer));
  if (answer.partial) text.line(kPartialText);
  for (const auto& [pods, what] : fate_rows(answer))
    text.line(fmt::format("{:>8}  {}", grouped(pods), what));
  if (const std::string recovery = recovery_text(answer); !recovery.empty()) text.line(recovery);
  steps_text(text, answer, all);
  text.table(fmt::format("{:<32} {:>22} {:>22}", "", kTimes[0], kTimes[1]), pod_rows(answer));
  text.table("Pods per zone", zone_rows(answer));
  text.table("Utilisation", utilisation_rows(answer.runs));
  text.table("Pods per zone and node", spread_rows(answer.runs));
  reasons_text(text, answer);
  budgets_text(text, answer, all);
  moves_text(text, answer);
  pods_text(text, answer, all);
  return text.take();
}

}  // namespace berth::cli
