#include <fmt/format.h>

#include "cli/page/page.h"
#include "cli/page/side_table.h"
#include "cli/what_if/outcome_rows.h"
#include "engine/base/text/number_text.h"

namespace berth::cli {
namespace {

// Pods and nodes that the page shows; JSON has all.
constexpr size_t kMostPods = 1000, kMostNodes = 50;

void steps_part(std::string& page, const WhatIf& answer) {
  if (!answer.steps.empty()) page += "<h2>Steps</h2>\n";
  for (const StepOutcome& step : answer.steps) {
    page += fmt::format("<details open><summary>{}</summary>\n", safe_text(step_title(step)));
    for (const std::string& line : step_lines(step, kMostNodes))
      page += fmt::format("<p class=\"muted\">{}</p>\n", safe_text(line));
    page += "</details>\n";
  }
}

void refusals_part(std::string& page, const WhatIf& answer) {
  std::vector<std::string> lines;
  for (const BudgetRefusal& one : answer.refusals)
    lines.push_back(fmt::format("{}: {}", plural(one.pods.size(), "pod"), one.text));
  lines_part(page, "Evictions that budgets refused", lines);
}

void moves_part(std::string& page, const WhatIf& answer) {
  TextCounts rows;
  for (const auto& [zones, pods] : zone_moves(answer)) rows.emplace_back(pods, zones);
  counts_part(page, "Moves by zone", rows);
}

void pods_part(std::string& page, const WhatIf& answer) {
  const std::vector<size_t> order = by_importance(answer);
  if (order.empty()) return;
  page += "<h2>Pods</h2>\n<div class=\"scroll\"><table class=\"pods\">\n";
  page += "<thead><tr><th>pod</th><th>before -&gt; after</th><th>why</th></tr></thead>\n<tbody>\n";
  const size_t shown = std::min(order.size(), kMostPods);
  for (size_t i = 0; i < shown; ++i) {
    const PodChange& change = answer.changes[order[i]];
    page += fmt::format("<tr{}><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                        is_worse(change.fate) ? " class=\"differs\"" : "", safe_text(change.pod),
                        safe_text(way_text(change)), safe_text(why_text(change)));
  }
  page += "</tbody></table></div>\n";
  if (shown < order.size())
    page += fmt::format("<p class=\"muted\">and {} more, which -o json prints</p>\n",
                        grouped(order.size() - shown));
}

}  // namespace

std::string to_page(const WhatIf& answer) {
  std::string page = page_head("berth run --what-if", headline(answer));
  if (answer.partial) page += fmt::format("<p>{}</p>\n", kPartialText);
  counts_part(page, {}, fate_rows(answer));
  if (const std::string recovery = recovery_text(answer); !recovery.empty())
    page += fmt::format("<p>{}</p>\n", safe_text(recovery));
  steps_part(page, answer);
  side_table(page, "Pods", kTimes, pod_rows(answer));
  side_table(page, "Pods per zone", kTimes, zone_rows(answer));
  side_table(page, "Utilisation", kTimes, utilisation_rows(answer.runs));
  side_table(page, "Pods per zone and node", kTimes, spread_rows(answer.runs));
  side_table(page, "Why pods wait", kTimes, reason_rows(answer));
  lines_part(page, "Drains that are not done", drain_lines(answer, kMostNodes));
  refusals_part(page, answer);
  moves_part(page, answer);
  pods_part(page, answer);
  return page + page_end();
}

}  // namespace berth::cli
