#include "cli/page/side_table.h"

#include <fmt/format.h>

#include "cli/page/page.h"

namespace berth::cli {

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
