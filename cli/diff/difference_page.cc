#include <fmt/format.h>

#include "cli/diff/difference.h"
#include "cli/diff/difference_rows.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"

namespace berth::cli {
namespace {

// Pods of a group that the page shows; JSON has all.
constexpr size_t kMostOnPage = 1000;

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>berth diff</title>
<link rel="icon" href="data:,">
<style>
:root { --ink: #1c2430; --muted: #5b6675; --line: #d5dbe3; --paper: #ffffff; --mark: #fff3d6; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6eaf0; --muted: #9aa5b4; --line: #363f4c; --paper: #14181e; --mark: #4a3b10; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0.2rem 0 1rem; }
h2 { font-size: 1.1rem; margin: 1.8rem 0 0.4rem; }
.muted { color: var(--muted); margin: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.8rem 0.25rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
thead th { color: var(--muted); font-weight: 600; }
td.number { text-align: right; white-space: nowrap; }
tr.differs td { background: var(--mark); }
details { border-bottom: 1px solid var(--line); padding: 0.3rem 0; }
summary { cursor: pointer; padding: 0.3rem 0; font-weight: 600; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  .pods thead { display: none; }
  .pods tr, .pods td { display: block; }
  .pods tr { border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
  .pods td { border: 0; padding: 0; }
}
@media print { details > *:not(summary) { display: block; } }
</style>
</head>
<body>
)";

// Text from outside: safe to show, and never markup.
std::string safe(std::string_view text) {
  std::string made;
  for (const char c : printable(text)) switch (c) {
      case '&':
        made += "&amp;";
        break;
      case '<':
        made += "&lt;";
        break;
      case '>':
        made += "&gt;";
        break;
      case '"':
        made += "&quot;";
        break;
      default:
        made += c;
    }
  return made;
}

void table_part(std::string& page, std::string_view title, const std::vector<SideRow>& rows) {
  if (rows.empty()) return;
  page += fmt::format(
      "<h2>{}</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th></th><th>A</th><th>B</th></tr>"
      "</thead>\n<tbody>\n",
      safe(title));
  for (const SideRow& row : rows)
    page += fmt::format("<tr{}><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                        row.differs() ? " class=\"differs\"" : "", safe(row.label),
                        safe(row.values[0]), safe(row.values[1]));
  page += "</tbody></table></div>\n";
}

void changes_part(std::string& page, const Difference& difference) {
  page += "<table><tbody>\n";
  for (const auto& [change, pods] : difference.changes())
    page += fmt::format("<tr><td>{}</td><td class=\"number\">{}</td></tr>\n",
                        safe(change_text(change)), grouped(pods));
  page += "</tbody></table>\n";
}

void group_part(std::string& page, const Difference& difference, const DifferenceGroup& of,
                bool open) {
  page += fmt::format(
      "<details{}><summary>{}: {}</summary>\n<div class=\"scroll\"><table class=\"pods\">\n",
      open ? " open" : "", safe(of.name), plural(of.pods.size(), "pod"));
  page += "<thead><tr><th>pod</th><th>A -&gt; B</th><th>why</th></tr></thead>\n<tbody>\n";
  const size_t shown = std::min(of.pods.size(), kMostOnPage);
  for (size_t i = 0; i < shown; ++i) {
    const PodDifference& pod = difference.pods[of.pods[i]];
    page += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", safe(pod.pod),
                        safe(moved_text(pod)), safe(pod.cause.why));
  }
  page += "</tbody></table></div>\n";
  if (shown < of.pods.size())
    page += fmt::format("<p class=\"muted\">and {} more, which -o json prints</p>\n",
                        grouped(of.pods.size() - shown));
  page += "</details>\n";
}

}  // namespace

std::string to_page(const Difference& difference) {
  std::string page(kHead);
  page +=
      fmt::format("<p class=\"muted\">berth diff</p>\n<h1>{}</h1>\n", safe(headline(difference)));
  if (!difference.pods.empty()) changes_part(page, difference);
  if (difference.recorded && !difference.pods.empty())
    page +=
        "<p class=\"muted\">Recorded runs tell the first cause. All later pods may follow from "
        "it.</p>\n";
  table_part(page, "Settings", setting_rows(difference));
  if (!difference.groups.empty()) page += "<h2>Decided by</h2>\n";
  for (const DifferenceGroup& one : difference.groups)
    group_part(page, difference, one, &one == &difference.groups.front());
  table_part(page, "Pods by outcome", outcome_rows(difference));
  table_part(page, "Utilisation", utilisation_rows(difference));
  table_part(page, "Pods per zone and node", spread_rows(difference));
  return page + "</body>\n</html>\n";
}

}  // namespace berth::cli
