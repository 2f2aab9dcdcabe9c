#include <fmt/format.h>

#include "cli/diff/difference.h"
#include "cli/diff/difference_rows.h"
#include "cli/diff/scores_part.h"
#include "cli/page/page.h"
#include "cli/page/side_table.h"
#include "engine/base/text/number_text.h"

namespace berth::cli {
namespace {

// Pods of a group that the page shows; JSON has all.
constexpr size_t kMostOnPage = 1000;
// A group of so many is shown as the page opens: the next ones are in sight then.
constexpr size_t kMostAtOnce = 30;
constexpr PerSide<std::string_view> kSides = {"A", "B"};

TextCounts change_rows(const Difference& difference) {
  TextCounts rows;
  for (const auto& [change, pods] : difference.changes())
    rows.emplace_back(pods, std::string(change_text(change)));
  return rows;
}

// The first pod of the group whose nodes were scored.
void group_scores(std::string& page, const Difference& difference, const DifferenceGroup& of) {
  const auto scored = [&](size_t i) { return !difference.pods[i].cause.scores[0].empty(); };
  const auto at = std::ranges::find_if(of.pods, scored);
  if (at == of.pods.end()) return;
  const PodDifference& pod = difference.pods[*at];
  page += fmt::format("<p>Scores for {}</p>\n", safe_text(pod.pod));
  scores_part(page, pod.cause.scores, {"in A", "in B"});
}

void group_part(std::string& page, const Difference& difference, const DifferenceGroup& of,
                bool open) {
  page += fmt::format(
      "<details{}><summary>{}: {}</summary>\n<div class=\"scroll\"><table class=\"pods\">\n",
      open ? " open" : "", safe_text(of.name), plural(of.pods.size(), "pod"));
  page += "<thead><tr><th>pod</th><th>A -&gt; B</th><th>why</th></tr></thead>\n<tbody>\n";
  const size_t shown = std::min(of.pods.size(), kMostOnPage);
  for (size_t i = 0; i < shown; ++i) {
    const PodDifference& pod = difference.pods[of.pods[i]];
    page += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", safe_text(pod.pod),
                        safe_text(moved_text(pod)), safe_text(why_text(pod)));
  }
  page += "</tbody></table></div>\n";
  if (shown < of.pods.size())
    page += fmt::format("<p class=\"muted\">and {} more, which -o json prints</p>\n",
                        grouped(of.pods.size() - shown));
  group_scores(page, difference, of);
  page += "</details>\n";
}

}  // namespace

std::string to_page(const Difference& difference) {
  std::string page = page_head("berth diff", headline(difference));
  if (difference.partial) page += fmt::format("<p>{}</p>\n", kPartialDifference);
  counts_part(page, {}, change_rows(difference));
  if (difference.recorded && !difference.pods.empty())
    page +=
        "<p class=\"muted\">Recorded runs tell the first cause. All later pods may follow from "
        "it.</p>\n";
  side_table(page, "Settings", kSides, setting_rows(difference));
  if (!difference.groups.empty()) page += "<h2>Decided by</h2>\n";
  for (const DifferenceGroup& one : difference.groups)
    group_part(page, difference, one,
               &one == &difference.groups.front() && one.pods.size() <= kMostAtOnce);
  side_table(page, "Pods by outcome", kSides, outcome_rows(difference));
  side_table(page, "Utilisation", kSides, utilisation_rows(difference));
  side_table(page, "Pods per zone and node", kSides, spread_rows(difference));
  return page + page_end();
}

}  // namespace berth::cli
