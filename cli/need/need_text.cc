#include <fmt/format.h>

#include <algorithm>

#include "cli/need/need.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"
#include "engine/output/resource_use.h"
#include "engine/output/summary_parts.h"

namespace berth::cli {
namespace {

constexpr size_t kMostMessages = 10;

// "cpu 87.5 %, memory 40.0 %": of what pods request.
std::string use_text(const std::vector<output::ResourceUse>& uses) {
  std::string text;
  for (const output::ResourceUse& use : uses)
    if (use.requested != 0)
      text += fmt::format("{}{} {:.1f} %", text.empty() ? "" : ", ", printable(use.resource),
                          100 * output::fraction(use));
  return text;
}

class NeedPage {
 public:
  NeedPage(const NeedAnswer& answer, bool all) : answer_(answer), all_(all) {}

  std::string write() {
    add_headline();
    if (answer_.count != 0) add_quality();
    add_nodes();
    add_stuck();
    if (all_) add_names();
    if (all_) add_resources();
    return std::move(text_);
  }

 private:
  void add_headline() {
    if (answer_.partial) text_ += "partial: the search was interrupted\n";
    if (answer_.partial && answer_.pods == 0) return;  // while the input was read
    const std::string nodes =
        answer_.count == 0
            ? "no node more"
            : fmt::format("{} more, for {:.10g},", plural(answer_.count, "node"), answer_.price);
    text_ += fmt::format("with {} {} of {} {} a node\n", nodes, grouped(answer_.bound),
                         plural(answer_.pods, "pod"), answer_.pods == 1 ? "has" : "have");
    if (!answer_.partial && !answer_.confirmed)
      text_ +=
          "a run by the whole configuration ends otherwise: its PostFilter plugins evict pods\n";
  }

  void add_quality() {
    const LowerBound& bound = answer_.bound_below;
    text_ += fmt::format("no fewer than {}, and no less than {:.10g}, can do",
                         plural(bound.nodes, "node"), bound.price);
    if (!answer_.bound_by.empty()) text_ += fmt::format(" (by {})", printable(answer_.bound_by));
    text_ += answer_.exact     ? "; no cheaper nodes do"
             : answer_.minimal ? "; none of these nodes can be left out"
                               : "; fewer of them may do: the search was ended early";
    text_ += "\n";
  }

  void add_nodes() {
    if (answer_.nodes.empty()) return;
    text_ += fmt::format("\n{:>10}  {:>12}  {:>10}  TEMPLATE\n", "NODES", "PRICE", "PODS");
    for (const NeededNodes& nodes : answer_.nodes)
      text_ += fmt::format("{:>10}  {:>12}  {:>10}  {}{}\n", grouped(nodes.nodes),
                           fmt::format("{:.10g}", nodes.price), grouped(nodes.pods),
                           printable(nodes.name), with_use(nodes));
  }

  static std::string with_use(const NeededNodes& nodes) {
    const std::string text = use_text(nodes.use);
    return text.empty() ? text : ": " + text;
  }

  void add_stuck() {
    if (answer_.stuck.empty()) return;
    text_ += fmt::format("\n{:>10}  NO NODE HELPS\n", "PODS");
    const size_t shown =
        all_ || answer_.stuck.size() <= kMostMessages + 1 ? answer_.stuck.size() : kMostMessages;
    for (size_t i = 0; i < shown; ++i)
      text_ += fmt::format("{:>10}  {}: {}\n", grouped(answer_.stuck[i].pods),
                           printable(answer_.stuck[i].first), printable(answer_.stuck[i].message));
    if (shown < answer_.stuck.size())
      text_ += fmt::format("{:>10}  and {} more; -o wide prints all\n", "...",
                           grouped(answer_.stuck.size() - shown));
  }

  void add_names() {
    if (answer_.nodes.empty()) return;
    text_ += "\nNAMES\n";
    for (const NeededNodes& nodes : answer_.nodes)
      for (const std::string& name : nodes.names) text_ += printable(name) + "\n";
  }

  void add_resources() {
    if (answer_.resources.empty()) return;
    text_ += fmt::format("\n{:>10}  RESOURCE\n", "USED");
    for (const output::ResourceUse& use : answer_.resources)
      text_ +=
          fmt::format("{:>8.1f} %  {}: {} of {}\n", 100 * output::fraction(use),
                      printable(use.resource), output::amount_text(use.resource, use.requested),
                      output::amount_text(use.resource, use.allocatable));
  }

  const NeedAnswer& answer_;
  const bool all_;
  std::string text_;
};

}  // namespace

std::string to_text(const NeedAnswer& answer, bool all) { return NeedPage(answer, all).write(); }

}  // namespace berth::cli
