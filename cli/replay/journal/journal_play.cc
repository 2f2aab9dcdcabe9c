#include "cli/replay/journal/journal_play.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <utility>

#include "cli/replay/choice_cause.h"
#include "cli/results/text_table.h"
#include "cli/run/run.h"
#include "engine/base/assert.h"
#include "engine/base/io/interrupts.h"
#include "engine/runtime/second_opinion.h"

namespace berth::cli {
namespace {

// Decisions behind the first difference, which no journal has.
class OwnDecisions {
 public:
  void add(const Decided& made) { made_.push_back({texts_.id(made.pod), texts_.id(made.node)}); }
  template <typename Visit>
  void each(Visit visit) const {
    for (const auto& [pod, node] : made_) visit(texts_[pod], texts_[node]);
  }

 private:
  TextTable texts_;
  std::vector<std::pair<TextTable::Id, TextTable::Id>> made_;
};

// Compares the decisions of a run with those of a journal, one after the other.
class Comparison {
 public:
  Comparison(const Journal& journal, const PlayLimits& limits)
      : journal_(journal), limits_(limits) {}

  void take(const runtime::Report& report, const runtime::Core& core) {
    const Decided* const made = taker_.take(report, core);
    if (made == nullptr) return;
    const uint64_t number = made_++;
    if (first_) return own_.add(*made);
    if (is_recorded(number, *made)) return;
    if (number >= limits_.from) return differs(number, *made);
    own_.add(*made);
  }

  uint64_t made() const { return made_; }
  const std::optional<FirstDifference>& first() const { return first_; }

  // The pods by their last decision so far.
  ReplayedPods pods() const {
    std::vector<std::string_view> order;
    boost::unordered_flat_map<std::string_view, std::pair<std::string_view, std::string_view>> pods;
    const DecisionList& recorded = journal_.decisions();
    for (size_t i = 0; i < recorded.size() && (i < made_ || first_); ++i) {
      const Decided one = recorded[i];
      if (!pods.contains(one.pod)) order.push_back(one.pod);
      auto& [there, here] = pods[one.pod];
      there = one.node;
      if (!first_ || i + 1 < first_->decision) here = one.node;
    }
    own_.each([&](std::string_view pod, std::string_view node) {
      if (!pods.contains(pod)) order.push_back(pod);
      pods[pod].second = node;
    });
    ReplayedPods ends;
    for (const std::string_view pod : order)
      ends.add(std::string(pod), pods[pod].first, pods[pod].second);
    return ends;
  }

 private:
  bool is_recorded(uint64_t number, const Decided& made) const {
    return number < journal_.decisions().size() && journal_.decisions()[number].same(made);
  }
  void differs(uint64_t number, const Decided& made) {
    own_.add(made);
    first_ = {.decision = number + 1,
              .at = made.at,
              .pod = std::string(made.pod),
              .recorded = "no more decisions",
              .now = decided_text(made),
              .cause = {}};
    if (number >= journal_.decisions().size()) return;
    const Decided recorded = journal_.decisions()[number];
    first_->recorded = decided_text(recorded);
    if (recorded.pod != made.pod) first_->recorded += fmt::format(", of {}", recorded.pod);
  }

  const Journal& journal_;
  const PlayLimits limits_;
  DecisionTaker taker_;
  uint64_t made_ = 0;
  std::optional<FirstDifference> first_;
  OwnDecisions own_;
};

// Asks why one decision differs.
class Questioner final : public framework::DecisionWatch {
 public:
  // `recorded`: the node of the journal, empty: none. `wanted`: the number of the decision, from 0.
  Questioner(uint64_t wanted, std::string recorded)
      : wanted_(wanted), recorded_(std::move(recorded)) {}

  void watch(runtime::Core& core) { core_ = &core; }
  void made(framework::Decider& decider, const framework::Request& request,
            const framework::Decision& decision) override {
    if (seen_++ == wanted_) ask({decider, decision}, request);
  }
  bool over() const { return seen_ > wanted_; }
  // Nothing: the rules do not differ about the pod.
  const std::optional<Cause>& cause() const { return cause_; }

 private:
  void ask(const Asked& now, const framework::Request& request) {
    const model::Cluster& cluster = core_->cluster();
    if (runtime::SecondOpinion* const opinion = core_->opinion()) {
      const framework::Decision* const former = opinion->decide(request);
      if (former == nullptr) {
        cause_ = {.kind = Cause::Kind::kProfile,
                  .plugin = {},
                  .why = "no profile of the journal serves the pod"};
        return;
      }
      cause_ = first_rule(cluster, {opinion->decider(), *former}, now);
      if (cause_) return;
    }
    const bool placed = now.decision.outcome == framework::Outcome::kScheduled;
    const std::string_view node = placed ? cluster.node_name(now.decision.row) : "";
    if (node != recorded_) cause_ = choice_cause(cluster, now, recorded_);
  }

  const uint64_t wanted_;
  const std::string recorded_;
  runtime::Core* core_ = nullptr;
  uint64_t seen_ = 0;
  std::optional<Cause> cause_;
};

bool is_wall(const LiveSide& side) { return side.options.clock == drive::ClockKind::kWall; }

// Where the journal ends before the run did, there is nothing to compare with behind it.
uint64_t last_decision(const Journal& journal, const PlayLimits& limits) {
  const bool cut = !journal.end() || journal.end()->interrupted;
  const uint64_t most = cut ? journal.decisions().size() : UINT64_MAX;
  return std::min(limits.until.value_or(most), most);
}

// Ends where the journal or the limits end.
std::function<bool()> end_of_play(Journal& journal, const PlayLimits& limits, bool wall,
                                  const Comparison& comparison, runtime::Core* const& core) {
  return [&journal, limits, wall, &comparison, &core] {
    if (comparison.made() >= last_decision(journal, limits)) return true;
    if (limits.until_time && core != nullptr && core->now() >= *limits.until_time) return true;
    // The answers of the machine belong to the recorded decisions.
    return wall && (comparison.first() || journal.machine().over());
  };
}

std::string hash_text(uint64_t hash) { return fmt::format("{:016x}", hash); }

std::string hash_of_journal(const Journal& journal, uint64_t decisions) {
  if (const auto hash = journal.decisions().hash_after(decisions)) return hash_text(*hash);
  return {};
}

JournalReplay compare(Journal& journal, LiveSide side, const PlayLimits& limits) {
  journal.machine().rewind();
  Comparison comparison(journal, limits);
  runtime::Core* core = nullptr;
  const bool wall = is_wall(side);
  side.options.hooks.hears = [&](const runtime::Report& report) { comparison.take(report, *core); };
  side.options.hooks.has_enough = end_of_play(journal, limits, wall, comparison, core);
  side.options.hooks.machine = wall ? &journal.machine() : nullptr;
  Run run(side.options, std::move(side.configuration), side.plugins);
  core = &run.core();
  JournalReplay replay;
  replay.recorded = journal.decisions().size();
  try {
    run.load();
    run.schedule();
  } catch (const Interrupted&) {
    replay.interrupted = true;
  }
  replay.interrupted |= interrupted();
  replay.decisions = comparison.made();
  replay.hash = core->scheduler().decisions().hash().to_string();
  replay.recorded_hash = hash_of_journal(journal, replay.decisions);
  replay.first = comparison.first();
  replay.pods = comparison.pods();
  output::Summary summary = run.summary();
  replay.errors_in_input = summary.errors_in_input;
  replay.failures = std::move(summary.failures);
  replay.resources = std::move(summary.resources);
  replay.ends_at_first = wall && replay.first.has_value();
  return replay;
}

Cause other_pod() {
  return {.kind = Cause::Kind::kQueue, .plugin = {}, .why = "another pod was tried"};
}

// The pods of decisions before were the same, so the recorded run had more to decide.
void find_missing(JournalReplay& replay, const Journal& journal, const PlayLimits& limits) {
  const bool ended_early = replay.decisions < last_decision(journal, limits) &&
                           replay.decisions < replay.recorded && !limits.until_time;
  if (replay.first || replay.interrupted || !ended_early) return;
  const Decided recorded = journal.decisions()[replay.decisions];
  replay.first = {.decision = replay.decisions + 1,
                  .at = recorded.at,
                  .pod = std::string(recorded.pod),
                  .recorded = decided_text(recorded),
                  .now = "no more decisions",
                  .cause = other_pod()};
}

void explain(JournalReplay& replay, Journal& journal, LiveSide side, const MakeSide& recorded) {
  const uint64_t number = replay.first->decision - 1;
  const Decided there = journal.decisions()[number];
  journal.machine().rewind();
  Questioner questioner(number, std::string(there.node));
  std::optional<LiveSide> former;
  runtime::OtherSettings other;
  if (recorded) {
    former = recorded();
    other = {.configuration = former->configuration,
             .plugins = &former->plugins,
             .decide = former->options.core.scheduler.decide};
    side.options.core.other = &other;
  }
  side.options.hooks.watch = &questioner;
  side.options.hooks.has_enough = [&] { return questioner.over(); };
  side.options.hooks.machine = is_wall(side) ? &journal.machine() : nullptr;
  Run run(side.options, std::move(side.configuration), side.plugins);
  questioner.watch(run.core());
  run.load();
  run.schedule();
  replay.interrupted |= interrupted();
  replay.first->cause = questioner.cause().value_or(Cause{
      .kind = Cause::Kind::kAfterChoice,
      .plugin = {},
      .why = "the rules agree about the node; Reserve or Permit, or the pods to evict, differ"});
}

}  // namespace

JournalReplay play_journal(Journal& journal, const MakeSide& now, const MakeSide& recorded,
                           const PlayLimits& limits) {
  JournalReplay replay = compare(journal, now(), limits);
  find_missing(replay, journal, limits);
  if (!replay.first || replay.interrupted) return replay;
  const uint64_t number = replay.first->decision - 1;
  const bool same_pod = number < journal.decisions().size() &&
                        journal.decisions()[number].pod == replay.first->pod &&
                        number < replay.decisions;
  replay.other_settings = same_pod && recorded;
  if (same_pod)
    explain(replay, journal, now(), recorded);
  else
    replay.first->cause = other_pod();
  return replay;
}

}  // namespace berth::cli
