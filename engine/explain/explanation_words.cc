#include "engine/explain/explanation_words.h"

#include <fmt/format.h>

#include <vector>

#include "engine/base/text/number_text.h"
#include "engine/host/calls/checks/code_name.h"

namespace berth::explain {

std::string outcome_text(const Explanation& explanation) {
  const std::string outcome = outcome_name(explanation.outcome);
  if (explanation.outcome == runtime::PodOutcome::kScheduled)
    return outcome + " on " + explanation.node;
  if (!explanation.gated_by.empty()) return outcome + " by " + explanation.gated_by;
  if (explanation.post_filter && !explanation.post_filter->node.empty())
    return outcome + ", nominated to " + explanation.post_filter->node;
  return outcome;
}

std::string why_text(const Explanation& explanation) {
  return explanation.outcome == runtime::PodOutcome::kScheduled ? explanation.why
                                                                : explanation.message;
}

std::string feasible_text(const Explanation::Node& node) {
  if (node.won) return "won";
  return node.searched ? "feasible" : "feasible, not searched";
}

std::string change_text(const Explanation::Node& node) {
  if (!node.outside.empty()) return "no change of the node helps, PreFilter chose nodes by name";
  if (!node.change) return "no change of this node's that we know of makes it fit";
  std::vector<std::string> words;
  for (const Explanation::Change& change : *node.change) words.push_back(change.words);
  return fmt::format("would fit: {}", fmt::join(words, "; "));
}

std::string refusal_text(const Explanation::Filter& filter) {
  return fmt::format("{}{}{}", fmt::join(filter.reasons, ", "),
                     filter.counting_nominated ? " (counting pods nominated here)" : "",
                     filter.reported ? " <- reported" : "");
}

std::string not_asked_text(const Explanation& explanation) {
  std::vector<std::string> plugins;
  for (const Explanation::NotAsked& plugin : explanation.not_asked)
    plugins.push_back(fmt::format("{} ({})", plugin.plugin, fmt::join(plugin.points, ", ")));
  return fmt::format("{}", fmt::join(plugins, ", "));
}

std::string pre_filter_text(const Explanation::PreFilter& told) {
  return fmt::format("{} ({}): {}", told.plugin.empty() ? "several plugins together" : told.plugin,
                     host::code_name(told.code), fmt::join(told.reasons, ", "));
}

std::string nomination_text(const Explanation::PostFilter& told) {
  return fmt::format("{} nominates node {} and evicts {}", told.plugin, told.node,
                     told.victims.empty() ? "no pod" : plural(told.victims.size(), "pod"));
}

bool waits_for_events(const Explanation& explanation) {
  return explanation.outcome == runtime::PodOutcome::kGated ||
         explanation.outcome == runtime::PodOutcome::kUnschedulable;
}

std::string events_text(const Explanation::Waker& waker) {
  if (waker.events.empty()) return "no event";
  std::vector<std::string> events;
  for (const Explanation::Waker::Event& event : waker.events)
    events.push_back(event.name + (event.always ? " (each)" : ""));
  return fmt::format("{}", fmt::join(events, ", "));
}

}  // namespace berth::explain
