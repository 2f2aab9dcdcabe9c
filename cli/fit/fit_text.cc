#include <fmt/format.h>

#include <algorithm>

#include "cli/fit/fit.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"
#include "engine/output/resource_use.h"

namespace berth::cli {
namespace {

// Rows of a table that is cut.
constexpr size_t kMostRows = 10;

class FitPage {
 public:
  FitPage(const FitAnswer& answer, bool all) : answer_(answer), all_(all) {}

  std::string write() {
    if (answer_.partial) text_ += "partial: the search was interrupted\n";
    for (const FittedUnit& unit : answer_.units) add_unit(unit);
    if (answer_.evicted != 0)
      text_ += fmt::format("{} evicted for them\n", plural(answer_.evicted, "pod"));
    add_end();
    if (!answer_.zones.empty() && !(answer_.zones.size() == 1 && answer_.zones[0].name.empty()))
      add_table("ZONE", answer_.zones);
    add_table("NODE", answer_.nodes);
    if (all_) add_resources();
    return std::move(text_);
  }

 private:
  void add_unit(const FittedUnit& unit) {
    std::string size = unit.pods == 1 ? "" : fmt::format(" of {}", plural(unit.pods, "pod"));
    std::string of = unit.wanted ? " of " + grouped(*unit.wanted) : "";
    text_ += fmt::format("{}{} {}{} of {} {}\n", grouped(unit.copies), of,
                         of.empty() && unit.copies == 1 ? "copy" : "copies", size,
                         printable(unit.name), of.empty() && unit.copies == 1 ? "fits" : "fit");
  }

  void add_end() {
    const CopiesEnd& end = answer_.end;
    if (!end.is_limit()) return;
    const std::string of =
        answer_.units.size() > 1 ? " of " + printable(answer_.units[end.unit].name) : "";
    text_ +=
        fmt::format("the next copy{} is {}: {}\n", of, why_name(end.why), printable(end.message));
    if (end.reasons.empty()) return;
    text_ += fmt::format("\n{:>10}  {}\n", "NODES", "REASON");
    for (const auto& [reason, nodes] : most_first(end))
      text_ += fmt::format("{:>10}  {}\n", grouped(nodes), printable(reason));
  }

  static std::vector<std::pair<std::string, uint64_t>> most_first(const CopiesEnd& end) {
    std::vector<std::pair<std::string, uint64_t>> all(end.reasons.begin(), end.reasons.end());
    std::ranges::stable_sort(all, std::ranges::greater(),
                             &std::pair<std::string, uint64_t>::second);
    return all;
  }

  // With several units, a column for each beside their sum.
  void add_table(std::string_view heading, const std::vector<FittedPlace>& places) {
    if (places.empty()) return;
    text_ += fmt::format("\n{:>10}  ", "PODS");
    if (answer_.units.size() > 1)
      for (const FittedUnit& unit : answer_.units)
        text_ += fmt::format("{:>{}}  ", printable(unit.name), column(unit));
    text_ += fmt::format("{}\n", heading);
    const size_t shown = all_ || places.size() <= kMostRows + 1 ? places.size() : kMostRows;
    for (size_t i = 0; i < shown; ++i) add_row(places[i]);
    if (shown < places.size())
      text_ += fmt::format("{:>10}  and {} more; -o wide prints all\n", "...",
                           grouped(places.size() - shown));
  }

  static size_t column(const FittedUnit& unit) {
    return std::max<size_t>(10, printable(unit.name).size());
  }

  void add_row(const FittedPlace& place) {
    text_ += fmt::format("{:>10}  ", grouped(place.all()));
    if (answer_.units.size() > 1)
      for (size_t i = 0; i < place.pods.size(); ++i)
        text_ += fmt::format("{:>{}}  ", grouped(place.pods[i]), column(answer_.units[i]));
    text_ += (place.name.empty() ? "(none)" : printable(place.name)) + "\n";
  }

  void add_resources() {
    text_ += fmt::format("\n{:>10}  {}\n", "USED", "RESOURCE");
    for (const output::ResourceUse& use : answer_.resources) {
      const double part = 100.0 * static_cast<double>(use.requested) /
                          static_cast<double>(std::max<int64_t>(use.allocatable, 1));
      text_ += fmt::format("{:>8.1f} %  {}: {} of {}\n", part, printable(use.resource),
                           output::amount_text(use.resource, use.requested),
                           output::amount_text(use.resource, use.allocatable));
    }
  }

  const FitAnswer& answer_;
  const bool all_;
  std::string text_;
};

}  // namespace

std::string to_text(const FitAnswer& answer, bool all) { return FitPage(answer, all).write(); }

}  // namespace berth::cli
