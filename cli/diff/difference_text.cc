#include <fmt/format.h>

#include <algorithm>

#include "cli/diff/difference.h"
#include "cli/diff/side_text.h"
#include "engine/base/text/number_text.h"

namespace berth::cli {
namespace {

void group_text(SideText& text, const Difference& difference, const DifferenceGroup& of,
                size_t most) {
  const size_t shown = of.pods.size() <= most + 1 ? of.pods.size() : most;
  text.heading(fmt::format("{}: {}", of.name, plural(of.pods.size(), "pod")));
  for (size_t i = 0; i < shown; ++i) {
    const PodDifference& pod = difference.pods[of.pods[i]];
    text.line(fmt::format("{:<36} {}", pod.pod, moved_text(pod)));
    if (const std::string why = why_text(pod); !why.empty()) text.line("    " + why);
  }
  if (shown < of.pods.size())
    text.line(fmt::format("... and {} more; --limit N prints more, -o json all",
                          grouped(of.pods.size() - shown)));
}

}  // namespace

std::string to_text(const Difference& difference, Extent extent) {
  SideText text;
  text.heading(headline(difference));
  if (difference.partial) text.line(std::string(kPartialDifference));
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
