#include "cli/diff/side_page.h"

#include <fmt/format.h>

#include "engine/base/text/printable.h"

namespace berth::cli {
namespace {

constexpr std::string_view kBegin = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
)";

constexpr std::string_view kStyle = R"(<link rel="icon" href="data:,">
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

}  // namespace

std::string safe_text(std::string_view text) {
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

std::string page_head(std::string_view program, std::string_view title) {
  std::string page(kBegin);
  page += fmt::format("<title>{}</title>\n", safe_text(program));
  page += kStyle;
  page +=
      fmt::format("<p class=\"muted\">{}</p>\n<h1>{}</h1>\n", safe_text(program), safe_text(title));
  return page;
}

void side_table(std::string& page, std::string_view title, const PerSide<std::string_view>& sides,
                const std::vector<SideRow>& rows) {
  if (rows.empty()) return;
  page += fmt::format(
      "<h2>{}</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th></th><th>{}</th><th>{}</th></tr>"
      "</thead>\n<tbody>\n",
      safe_text(title), safe_text(sides[0]), safe_text(sides[1]));
  for (const SideRow& row : rows)
    page += fmt::format("<tr{}><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                        row.differs() ? " class=\"differs\"" : "", safe_text(row.label),
                        safe_text(row.values[0]), safe_text(row.values[1]));
  page += "</tbody></table></div>\n";
}

}  // namespace berth::cli
