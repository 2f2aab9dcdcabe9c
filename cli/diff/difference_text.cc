#include <fmt/format.h>

#include <algorithm>

#include "cli/diff/difference.h"
#include "cli/diff/difference_rows.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"

namespace berth::cli {
namespace {

class Text {
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

void group_text(Text& text, const Difference& difference, const DifferenceGroup& of, size_t most) {
  const size_t shown = of.pods.size() <= most + 1 ? of.pods.size() : most;
  text.heading(fmt::format("{}: {}", of.name, plural(of.pods.size(), "pod")));
  for (size_t i = 0; i < shown; ++i) {
    const PodDifference& pod = difference.pods[of.pods[i]];
    text.line(fmt::format("{:<36} {}", pod.pod, moved_text(pod)));
    if (!pod.cause.why.empty()) text.line("    " + pod.cause.why);
  }
  if (shown < of.pods.size())
    text.line(fmt::format("... and {} more; --limit N prints more, -o json all",
                          grouped(of.pods.size() - shown)));
}

}  // namespace

std::string to_text(const Difference& difference, Extent extent) {
  Text text;
  text.heading(headline(difference));
  for (const auto& [change, pods] : difference.changes())
    text.line(fmt::format("{:<30} {:>22}", change_text(change), grouped(pods)));
  if (difference.recorded && !difference.pods.empty())
    text.line("Recorded runs tell the first cause. All later pods may follow from it.");
  text.table(fmt::format("{:<32} {:>22} {:>22}", "Settings", "A", "B"), setting_rows(difference));
  text.table("Pods by outcome", outcome_rows(difference));
  for (const DifferenceGroup& one : difference.groups)
    group_text(text, difference, one, extent.pods);
  text.table("Utilisation", utilisation_rows(difference));
  text.table("Pods per zone and node", spread_rows(difference));
  return text.take();
}

}  // namespace berth::cli
