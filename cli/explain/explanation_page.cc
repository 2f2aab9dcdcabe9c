#include "cli/explain/explanation_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/page/page.h"
#include "engine/base/text/number_text.h"
#include "engine/explain/explanation_words.h"
#include "engine/explain/numbers_text.h"
#include "engine/host/calls/checks/code_name.h"

namespace berth::cli {
namespace {

using explain::Explanation;

// The list of all nodes has those that the tables leave out.
constexpr size_t kMostFeasible = 25, kMostOfGroup = 3, kMostOpen = 3;
// Of a part of another page, which has many.
constexpr size_t kMostGroupsOfPart = 10, kMostFeasibleOfPart = 10;

TextPairs outcome_facts(const Explanation& of) {
  TextPairs facts;
  const auto add = [&](const char* name, std::string value) {
    if (!value.empty()) facts.emplace_back(name, std::move(value));
  };
  add("result", outcome_text(of));
  add("profile", of.profile);
  add("Kubernetes", of.kube_version);
  if (of.pre_filter) add("PreFilter", pre_filter_text(*of.pre_filter));
  add("not asked, may still refuse or hold it", not_asked_text(of));
  return facts;
}

std::vector<std::string> plan_lines(const Explanation::PostFilter& told) {
  if (!told.not_asked.empty()) return {"not asked, " + told.not_asked};
  std::vector<std::string> lines;
  for (const Explanation::PostFilter::Text& one : told.texts)
    lines.push_back(one.plugin + ": " + one.text);
  if (!told.plugin.empty()) lines.push_back(nomination_text(told));
  if (told.draws) lines.emplace_back(explain::kDrawnText);
  if (lines.empty()) lines.emplace_back("no plugin helps");
  return lines;
}

void plan_part(std::string& page, const Explanation& of) {
  if (!of.post_filter) return;
  lines_part(page, "PostFilter", plan_lines(*of.post_filter));
  TextRows victims;
  for (const Explanation::PostFilter::Victim& victim : of.post_filter->victims)
    victims.push_back({victim.pod, std::to_string(victim.priority)});
  table_part(page, {}, {.names = {"pod to evict", "priority"}, .numbers = 1}, victims);
}

void wakers_part(std::string& page, const Explanation& of) {
  if (!waits_for_events(of)) return;
  if (of.wakers.empty()) return lines_part(page, "Woken by", {std::string(explain::kNotWokenText)});
  TextRows rows;
  for (const Explanation::Waker& waker : of.wakers)
    rows.push_back({waker.plugin, events_text(waker)});
  table_part(page, "Woken by events of which the plugin finds that they may help",
             {.names = {"plugin", "events"}, .stacks = true}, rows);
  page += "<p class=\"muted\">each: the plugin is not asked</p>\n";
}

size_t feasible_nodes(const Explanation& of) {
  return static_cast<size_t>(std::ranges::count_if(of.nodes, &Explanation::Node::feasible));
}

std::string raw_text(const Explanation::Score& score) {
  return score.raw ? std::to_string(*score.raw) : "not scored";
}

Columns score_columns(const Explanation& of) {
  Columns columns{.names = {"node", "verdict"}, .numbers = 2};
  if (of.scored) columns.names.push_back("total");
  for (const Explanation::ScorePlugin& plugin : of.score_plugins)
    if (!plugin.skipped)
      columns.names.push_back(fmt::format("{} x{}", plugin.plugin, plugin.weight));
  return columns;
}

std::vector<std::string> score_row(const Explanation& of, const Explanation::Node& node) {
  std::vector<std::string> row = {node.name, feasible_text(node)};
  if (!node.scores.empty()) row.push_back(std::to_string(node.total));
  for (size_t i = 0; i < node.scores.size(); ++i)
    if (const Explanation::Score& score = node.scores[i]; !of.score_plugins[i].skipped)
      row.push_back(fmt::format("{} / {} / {}", raw_text(score), score.normalised, score.weighted));
  return row;
}

std::vector<std::string> skipped_scores(const Explanation& of) {
  std::vector<std::string> plugins;
  for (const Explanation::ScorePlugin& plugin : of.score_plugins)
    if (plugin.skipped) plugins.push_back(fmt::format("{} (x{})", plugin.plugin, plugin.weight));
  return plugins;
}

// A plugin that skips does so for the pod, on every node.
std::vector<std::string> skipped_filters(const Explanation& of) {
  std::vector<std::string> plugins;
  if (of.nodes.empty()) return plugins;
  for (const Explanation::Filter& filter : of.nodes[0].filters)
    if (filter.skipped) plugins.push_back(filter.plugin);
  return plugins;
}

void muted_line(std::string& page, const std::string& text) {
  page += fmt::format("<p class=\"muted\">{}</p>\n", safe_text(text));
}

void feasible_part(std::string& page, const Explanation& of, size_t most) {
  const size_t feasible = feasible_nodes(of), shown = std::min(feasible, most);
  TextRows rows;
  for (size_t i = 0; i < shown; ++i) rows.push_back(score_row(of, of.nodes[i]));
  table_part(page, plural(feasible, "feasible node"), score_columns(of), rows, feasible - shown);
  if (of.scored) muted_line(page, "Scores are raw / normalised / weighted.");
  if (const auto plugins = skipped_scores(of); of.scored && !plugins.empty())
    muted_line(page, fmt::format("Skipped by their PreScore: {}", fmt::join(plugins, ", ")));
  if (const auto plugins = skipped_filters(of); !plugins.empty())
    muted_line(page, fmt::format("Skipped by their PreFilter: {}", fmt::join(plugins, ", ")));
}

void add_safe_line(std::string& text, std::string_view line) {
  text += safe_text(line);
  text += '\n';
}

void add_numbers(std::string& text, const std::string& plugin,
                 const std::vector<host::Item>& numbers) {
  for (const std::string& item : explain::numbers_text(plugin, numbers))
    add_safe_line(text, "  " + item);
}

std::string passed_text(const Explanation::Node& node) {
  std::vector<std::string> passed;
  for (const Explanation::Filter& filter : node.filters)
    if (!filter.skipped && filter.code == 0) passed.push_back(filter.plugin);
  return passed.empty() ? std::string() : fmt::format("passed: {}", fmt::join(passed, ", "));
}

// The columns of the change, for programs, and the amounts.
std::string attributes_text(const Explanation::Node& node) {
  if (!node.change) return {};
  std::vector<std::string> attributes;
  for (const Explanation::Change& change : *node.change)
    attributes.push_back(change.missing ? fmt::format("{} lacks {}", change.column, *change.missing)
                                        : change.column);
  return fmt::format("{}", fmt::join(attributes, ", "));
}

void add_change(std::string& text, const Explanation::Node& node) {
  add_safe_line(text, change_text(node));
  if (const std::string columns = attributes_text(node); !columns.empty())
    add_safe_line(text, "  " + columns);
}

void add_scores(std::string& text, const Explanation& of, const Explanation::Node& node) {
  for (size_t i = 0; i < node.scores.size(); ++i) {
    const Explanation::ScorePlugin& plugin = of.score_plugins[i];
    const Explanation::Score& score = node.scores[i];
    if (plugin.skipped) continue;
    add_safe_line(text,
                  fmt::format("{}: raw {}, normalised {}, x{} = {}", plugin.plugin, raw_text(score),
                              score.normalised, plugin.weight, score.weighted));
    add_numbers(text, plugin.plugin, score.numbers);
  }
}

// All there is to tell about a node.
std::string node_lines(const Explanation& of, const Explanation::Node& node) {
  std::string text;
  if (!node.searched) add_safe_line(text, "not searched");
  if (!node.outside.empty()) add_safe_line(text, "left out by PreFilter: " + node.outside);
  for (const Explanation::Filter& filter : node.filters) {
    if (filter.code == 0) continue;
    add_safe_line(text, fmt::format("{} {}: {}", filter.plugin, host::code_name(filter.code),
                                    refusal_text(filter)));
    add_numbers(text, filter.plugin, filter.numbers);
  }
  add_scores(text, of, node);
  if (const std::string passed = passed_text(node); !passed.empty()) add_safe_line(text, passed);
  if (!node.feasible && !(node.filters.empty() && node.outside.empty())) add_change(text, node);
  return text;
}

// The numbers of a node and the change that helps tell it apart from others of its group.
std::string lines_in_group(const Explanation::Node& node) {
  std::string text;
  for (const Explanation::Filter& filter : node.filters)
    add_numbers(text, filter.plugin, filter.numbers);
  add_change(text, node);
  return text;
}

std::string joined_reasons(const Explanation::Node& node) {
  if (!node.outside.empty()) return node.outside;
  std::string text;
  for (const Explanation::Filter& filter : node.filters)
    if (filter.code != 0)
      text += fmt::format("{}{}", text.empty() ? "" : "; ", fmt::join(filter.reasons, ", "));
  return text;
}

std::string node_verdict(const Explanation::Node& node) {
  if (node.feasible)
    return node.scores.empty() ? feasible_text(node)
                               : fmt::format("{}, total {}", feasible_text(node), node.total);
  const std::string reasons = joined_reasons(node);
  return reasons.empty() ? "not filtered" : reasons;
}

void refusal_table(std::string& page, const Explanation::Node& node) {
  if (!node.outside.empty()) muted_line(page, "left out by PreFilter");
  TextRows rows;
  for (const Explanation::Filter& filter : node.filters)
    if (filter.code != 0)
      rows.push_back(
          {filter.plugin, std::string(host::code_name(filter.code)), refusal_text(filter)});
  table_part(page, {}, {.names = {"filter", "verdict", "reasons"}, .stacks = true}, rows);
  if (const std::string passed = passed_text(node); !passed.empty()) muted_line(page, passed);
}

void refusal_part(std::string& page, const Explanation& of, const Explanation::Group& group,
                  bool open) {
  const Explanation::Node& closest = of.nodes[group.nodes[0]];
  page += fmt::format("<details{}><summary>{}: {}</summary>\n", open ? " open" : "",
                      plural(group.nodes.size(), "node"), safe_text(joined_reasons(closest)));
  refusal_table(page, closest);
  const size_t shown = std::min(group.nodes.size(), kMostOfGroup);
  for (size_t i = 0; i < shown; ++i) {
    const Explanation::Node& node = of.nodes[group.nodes[i]];
    page += fmt::format("<p class=\"node\">{}{}</p>\n<p class=\"lines\">{}</p>\n",
                        i == 0 ? "closest: " : "", safe_text(node.name), lines_in_group(node));
  }
  if (shown < group.nodes.size())
    muted_line(page, fmt::format("and {} more", grouped(group.nodes.size() - shown)));
  page += "</details>\n";
}

void refusals_of_groups(std::string& page, const Explanation& of, size_t most) {
  if (of.groups.empty()) return;
  page += fmt::format("<h2>{} of {} refused, in {} of equal refusals, the closest first</h2>\n",
                      grouped(of.nodes.size() - feasible_nodes(of)),
                      plural(of.nodes.size(), "node"), plural(of.groups.size(), "group"));
  const size_t shown = std::min(of.groups.size(), most);
  for (size_t i = 0; i < shown; ++i) refusal_part(page, of, of.groups[i], i < kMostOpen);
  if (shown < of.groups.size())
    muted_line(page, fmt::format("and {}", plural(of.groups.size() - shown, "more group")));
}

void all_nodes_part(std::string& page, const Explanation& of) {
  if (of.nodes.empty()) return;
  page += "<h2>All nodes</h2>\n";
  narrow_field(page, "Nodes with this text in their name or verdict:");
  for (const Explanation::Node& node : of.nodes)
    page += fmt::format(
        "<details class=\"named\"><summary>{} <span class=\"muted\">{}{}</span></summary>"
        "<p class=\"lines\">{}</p></details>\n",
        safe_text(node.name), safe_text(node_verdict(node)),
        node.group ? fmt::format(" (group {})", *node.group + 1) : "", node_lines(of, node));
}

void answer_part(std::string& page, const Explanation& of) {
  if (const std::string why = why_text(of); !why.empty())
    page += fmt::format("<p class=\"why\">{}</p>\n", safe_text(why));
  facts_part(page, {}, outcome_facts(of));
}

void rest_part(std::string& page, const Explanation& of, size_t feasible, size_t groups) {
  plan_part(page, of);
  wakers_part(page, of);
  feasible_part(page, of, feasible);
  if (!of.nodes.empty() && feasible_nodes(of) == 0 && of.groups.empty())
    muted_line(page, fmt::format("None of {} was filtered.", plural(of.nodes.size(), "node")));
  refusals_of_groups(page, of, groups);
}

}  // namespace

std::string explanation_title(const Explanation& of) {
  using runtime::PodOutcome;
  switch (of.outcome) {
    case PodOutcome::kScheduled:
      return fmt::format("{} goes to node {}", of.pod, of.node);
    case PodOutcome::kUnschedulable:
      return of.post_filter && !of.post_filter->node.empty()
                 ? fmt::format("{} fits on no node now, and is nominated to {}", of.pod,
                               of.post_filter->node)
                 : fmt::format("{} fits on no node", of.pod);
    case PodOutcome::kGated:
      return fmt::format("{} is kept out of the queue by {}", of.pod, of.gated_by);
    case PodOutcome::kIgnored:
      return fmt::format("no profile serves {}", of.pod);
    case PodOutcome::kError:
      break;
  }
  return fmt::format("the attempt to schedule {} failed", of.pod);
}

void explanation_part(std::string& page, const Explanation& of) {
  answer_part(page, of);
  rest_part(page, of, kMostFeasibleOfPart, kMostGroupsOfPart);
}

std::string to_page(const Explanation& of, const std::vector<std::string>& notes) {
  std::string page = page_head("berth explain", explanation_title(of), PageScript::kNarrow);
  answer_part(page, of);
  lines_part(page, {}, notes);
  rest_part(page, of, kMostFeasible, of.groups.size());
  all_nodes_part(page, of);
  return page + page_end(PageScript::kNarrow);
}

}  // namespace berth::cli
