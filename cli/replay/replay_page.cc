#include "cli/replay/replay_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/diff/scores_part.h"
#include "cli/page/page.h"
#include "engine/base/text/go_duration.h"
#include "engine/base/text/number_text.h"
#include "engine/output/resource_use.h"

namespace berth::cli {
namespace {

constexpr size_t kMostPodsOnPage = 1000;

void add_first(std::string& page, const ReplayFacts::First& first) {
  facts_part(
      page, "The first difference: " + first.place + ", " + first.pod,
      {{"recorded", first.recorded}, {"now", first.now}, {"decided by", cause_text(*first.cause)}});
  scores_part(page, first.cause->scores, {"as recorded", "now"});
}

// Pods that have their cause in common.
struct CauseGroup {
  std::string name;
  bool asked = true;
  std::vector<const ReplayedPods::Different*> pods;
};

const Cause* known_cause(const ReplayFacts& facts, const ReplayedPods::Different& pod) {
  if (pod.cause) return &*pod.cause;
  return facts.first && facts.first->pod == pod.pod ? facts.first->cause : nullptr;
}

// The largest group is first, and pods of which nobody asked are last.
std::vector<CauseGroup> groups_of(const ReplayFacts& facts) {
  std::map<std::string, CauseGroup> by_name;
  for (const ReplayedPods::Different& pod : facts.pods->different) {
    const Cause* const cause = known_cause(facts, pod);
    const std::string name = cause == nullptr ? std::string(facts.not_asked) : cause_name(*cause);
    CauseGroup& group = by_name[name];
    group.name = name;
    group.asked = cause != nullptr;
    group.pods.push_back(&pod);
  }
  std::vector<CauseGroup> groups;
  for (auto& [name, group] : by_name) groups.push_back(std::move(group));
  std::ranges::stable_sort(groups, [](const CauseGroup& a, const CauseGroup& b) {
    return a.asked != b.asked ? a.asked : a.pods.size() > b.pods.size();
  });
  return groups;
}

std::string place_text(const std::string& node) { return node.empty() ? "pending" : node; }

// `left`: rows that the page still takes.
void add_group(std::string& page, const ReplayFacts& facts, const CauseGroup& group, size_t& left) {
  page += fmt::format("<details open><summary>{}: {}</summary>\n", safe_text(group.name),
                      plural(group.pods.size(), "pod"));
  const size_t shown = std::min(group.pods.size(), left);
  left -= shown;
  TextRows rows;
  for (size_t i = 0; i < shown; ++i) {
    const ReplayedPods::Different& pod = *group.pods[i];
    const Cause* const cause = known_cause(facts, pod);
    rows.push_back({pod.pod, place_text(pod.recorded) + " -> " + place_text(pod.now),
                    cause == nullptr ? "" : cause->why});
  }
  const uint64_t more = group.pods.size() - shown;
  table_part(page, "", {.names = {"pod", "recorded -> now", "why"}, .stacks = true}, rows, more);
  if (rows.empty())
    page += fmt::format("<p class=\"muted\">{}, which -o json prints</p>\n", plural(more, "pod"));
  page += "</details>\n";
}

void add_utilisation(std::string& page, const ReplayFacts& facts) {
  TextRows rows;
  for (const output::ResourceUse& use : facts.resources)
    rows.push_back({use.resource,
                    use.allocatable <= 0
                        ? "-"
                        : fmt::format("{:.2f} %", 100.0 * static_cast<double>(use.requested) /
                                                      static_cast<double>(use.allocatable)),
                    output::amount_text(use.resource, use.requested),
                    output::amount_text(use.resource, use.allocatable)});
  table_part(page, "Utilisation at the end of " + std::string(facts.of_resources),
             {.names = {"resource", "used", "requested", "allocatable"}, .numbers = 1}, rows);
}

void count_ends(ReplayFacts& facts) {
  const ReplayedPods& pods = *facts.pods;
  facts.counts.emplace_back("pods that end as recorded", grouped(pods.equal));
  facts.counts.emplace_back("on another node", grouped(pods.elsewhere));
  facts.counts.emplace_back("on a node in the record, pending here", grouped(pods.lost));
  facts.counts.emplace_back("on a node here, pending in the record", grouped(pods.won));
}

std::string title_of(const JournalReplay& replay) {
  if (replay.hash.empty()) return "nothing is played";
  if (replay.first)
    return fmt::format("decision {} differs, of {} recorded", grouped(replay.first->decision),
                       grouped(replay.recorded));
  if (replay.differs()) return fmt::format("no node differs, but {}", kOtherWay);
  return plural(replay.decisions, "decision") + ", all as recorded";
}

void add_notes(ReplayFacts& facts, const JournalReplay& replay, const Journal& journal) {
  if (std::string text = end_text(journal); !text.empty()) facts.notes.push_back(std::move(text));
  if (replay.interrupted) facts.notes.emplace_back(kInterruptedText);
  if (replay.other_settings)
    facts.notes.emplace_back("A has the settings of the journal, B those given now");
  if (replay.ends_at_first)
    facts.notes.emplace_back("by the wall clock nothing is compared behind the first difference");
}

std::string title_of(const RecordReplay& replay) {
  if (replay.asked == 0) return std::string(kNothingAsked);
  if (!replay.differs()) return plural(replay.bindings, "binding") + ", all as our rules have it";
  return fmt::format("{} of {} differ", grouped(replay.pods.different.size()),
                     plural(replay.asked, "pod"));
}

ReplayFacts::First first_binding(const RecordReplay& replay) {
  const ReplayedPods::Different& first = replay.pods.different.front();
  return {
      .place = fmt::format("binding {} at {}", grouped(replay.first), go_duration(replay.first_at)),
      .pod = first.pod,
      .recorded = place_text(first.recorded),
      .now = first.now.empty() ? "refused" : first.now,
      .cause = &*first.cause};
}

}  // namespace

std::string to_page(const ReplayFacts& facts) {
  std::string html = page_head("berth replay", facts.title);
  for (const std::string& note : facts.notes)
    html += fmt::format("<p class=\"muted\">{}</p>\n", safe_text(note));
  facts_part(html, "", facts.counts);
  if (facts.first) add_first(html, *facts.first);
  if (!facts.pods->different.empty()) html += "<h2>Pods that differ, by what decides</h2>\n";
  size_t left = kMostPodsOnPage;
  for (const CauseGroup& group : groups_of(facts)) add_group(html, facts, group, left);
  add_utilisation(html, facts);
  return html + page_end();
}

std::string to_page(const JournalReplay& replay, const Journal& journal) {
  ReplayFacts facts{.title = title_of(replay),
                    .notes = {journal.path()},
                    .counts = {},
                    .pods = &replay.pods,
                    .not_asked = "behind the first difference, and not asked one by one",
                    .of_resources = "this replay",
                    .resources = replay.resources};
  add_notes(facts, replay, journal);
  facts.counts = {{"decisions recorded", grouped(replay.recorded)},
                  {"decisions made", grouped(replay.decisions)},
                  {"decisions that agree, up to the first difference",
                   grouped(replay.first ? replay.first->decision - 1 : replay.decisions)}};
  count_ends(facts);
  if (const auto& first = replay.first)
    facts.first = {
        .place = fmt::format("decision {} at {}", grouped(first->decision), go_duration(first->at)),
        .pod = first->pod,
        .recorded = first->recorded,
        .now = first->now,
        .cause = &first->cause};
  return to_page(facts);
}

std::string to_page(const FollowedRecord& record) {
  const RecordReplay& replay = record.replay;
  ReplayFacts facts{.title = title_of(replay),
                    .notes = {record.path},
                    .counts = {{"bindings recorded", grouped(replay.bindings)},
                               {"pods that our rules were asked about", grouped(replay.asked)}},
                    .pods = &replay.pods,
                    .not_asked = {},
                    .of_resources = "the record",
                    .resources = replay.resources};
  if (replay.interrupted) facts.notes.emplace_back(kInterruptedText);
  count_ends(facts);
  if (replay.first != 0) facts.first = first_binding(replay);
  return to_page(facts);
}

}  // namespace berth::cli
