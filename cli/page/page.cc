#include "cli/page/page.h"

#include <fmt/format.h>

#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"

namespace berth::cli {
namespace {

constexpr std::string_view kBegin = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
)";

// A browser runs the script because the policy has its hash: base64 of the SHA-256 of the text
// between the tags.
constexpr std::string_view kNarrowScript = R"(
const field = document.getElementById("narrow");
field.parentElement.hidden = false;
field.addEventListener("input", () => {
  const text = field.value.trim().toLowerCase();
  for (const one of document.querySelectorAll(".named"))
    one.hidden = !one.firstElementChild.textContent.toLowerCase().includes(text);
});
)";
constexpr std::string_view kNarrowHash = "HaviY/RgD5wRvjx3QU+L+K2/1o7/1q/N10j4p+2r0Ug=";

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
h1, h2, p, li { overflow-wrap: anywhere; }
.muted { color: var(--muted); margin: 0; }
.part { padding-left: 0.8rem; border-left: 2px solid var(--line); margin-top: 0.8rem; }
.part > summary { margin-left: -0.4rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.8rem 0.25rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
thead th { color: var(--muted); font-weight: 600; }
td.number, th.number { text-align: right; white-space: nowrap; }
tr.differs td { background: var(--mark); }
details { border-bottom: 1px solid var(--line); padding: 0.3rem 0; }
.lines { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.2rem 0 0.6rem 1.1rem; }
.node { margin: 0.5rem 0 0; }
.facts, .counts { width: auto; }
.wide td, .wide th { white-space: nowrap; }
.pods td:not(:last-child) { white-space: nowrap; }
.facts td { overflow-wrap: anywhere; white-space: pre-wrap; }
.facts td:first-child { color: var(--muted); overflow-wrap: break-word; }
.named { content-visibility: auto; contain-intrinsic-size: auto 2.4rem; }
.named summary { font-weight: 400; }
[hidden] { display: none !important; }
input { font: inherit; color: inherit; background: transparent; border: 1px solid var(--line);
  border-radius: 0.3rem; padding: 0.3rem 0.5rem; width: min(20rem, 100%); }
summary { cursor: pointer; padding: 0.3rem 0; font-weight: 600; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  .pods thead { display: none; }
  .pods tr, .pods td { display: block; }
  .pods tr { border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
  .pods td, .pods td:not(:last-child) { border: 0; padding: 0; white-space: normal;
    overflow-wrap: anywhere; }
}
@media print { details > *:not(summary) { display: block; } }
</style>
</head>
<body>
)";

void heading(std::string& page, std::string_view title) {
  if (!title.empty()) page += fmt::format("<h2>{}</h2>\n", safe_text(title));
}

std::string cell(std::string_view tag, const Columns& columns, size_t column,
                 const std::string& text) {
  return fmt::format("<{0}{1}>{2}</{0}>", tag, column < columns.numbers ? "" : " class=\"number\"",
                     safe_text(text));
}

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

std::string page_head(std::string_view program, std::string_view title, PageScript script) {
  std::string page(kBegin);
  const bool runs = script == PageScript::kNarrow;
  page += fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'{}\">\n",
      runs ? fmt::format("; script-src 'sha256-{}'", kNarrowHash) : "");
  page += fmt::format("<title>{}: {}</title>\n", safe_text(program), safe_text(title));
  page += kStyle;
  page +=
      fmt::format("<p class=\"muted\">{}</p>\n<h1>{}</h1>\n", safe_text(program), safe_text(title));
  return page;
}

std::string page_end(PageScript script) {
  constexpr std::string_view kEnd = "</body>\n</html>\n";
  if (script == PageScript::kNone) return std::string(kEnd);
  return fmt::format("<script>{}</script>\n{}", kNarrowScript, kEnd);
}

void narrow_field(std::string& page, std::string_view label) {
  page += fmt::format(
      "<p hidden><label for=\"narrow\">{}</label> <input id=\"narrow\" "
      "type=\"search\" autocomplete=\"off\"></p>\n",
      safe_text(label));
}

void facts_part(std::string& page, std::string_view title, const TextPairs& facts) {
  if (facts.empty()) return;
  heading(page, title);
  page += "<table class=\"facts\"><tbody>\n";
  for (const auto& [name, value] : facts)
    page += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", safe_text(name), safe_text(value));
  page += "</tbody></table>\n";
}

void counts_part(std::string& page, std::string_view title, const TextCounts& rows) {
  if (rows.empty()) return;
  heading(page, title);
  page += "<table class=\"counts\"><tbody>\n";
  for (const auto& [count, what] : rows)
    page += fmt::format("<tr><td class=\"number\">{}</td><td>{}</td></tr>\n", grouped(count),
                        safe_text(what));
  page += "</tbody></table>\n";
}

void lines_part(std::string& page, std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  heading(page, title);
  page += "<ul>\n";
  for (const std::string& line : lines) page += fmt::format("<li>{}</li>\n", safe_text(line));
  page += "</ul>\n";
}

void table_part(std::string& page, std::string_view title, const Columns& columns,
                const TextRows& rows, uint64_t more) {
  if (rows.empty()) return;
  heading(page, title);
  page += fmt::format("<div class=\"scroll\"><table class=\"{}\">\n<thead><tr>",
                      columns.stacks ? "pods" : "wide");
  for (size_t i = 0; i < columns.names.size(); ++i)
    page += cell("th", columns, i, columns.names[i]);
  page += "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : rows) {
    page += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) page += cell("td", columns, i, row[i]);
    page += "</tr>\n";
  }
  page += "</tbody></table></div>\n";
  if (more != 0) page += fmt::format("<p class=\"muted\">and {} more</p>\n", grouped(more));
}

}  // namespace berth::cli
