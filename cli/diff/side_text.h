#pragma once

// Text about two runs, for people: headings, lines, and tables of a value of each run.

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/diff/difference_rows.h"
#include "engine/base/text/printable.h"

namespace berth::cli {

class SideText {
 public:
  void heading(const std::string& title) {
    text_ += (text_.empty() ? "" : "\n") + printable(title) + "\n";
  }
  void line(const std::string& text) { text_ += "  " + printable(text) + "\n"; }
  void table(const std::string& title, const std::vector<SideRow>& rows) {
    if (rows.empty()) return;
    heading(title);
    for (const SideRow& row : rows)
      line(fmt::format("{:<30} {:>22} {:>22}{}", row.label, row.values[0], row.values[1],
                       row.differs() ? "  *" : ""));
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace berth::cli
