#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "cli/diff/cause_finder.h"
#include "cli/diff/difference.h"
#include "engine/base/text/joined.h"

namespace berth::cli {
namespace {

using Kind = Cause::Kind;

Cause cause(Kind kind, std::string plugin, std::string why) {
  return {.kind = kind, .plugin = std::move(plugin), .why = std::move(why)};
}

std::string first_of(const std::vector<std::string>& names) {
  return names.empty() ? std::string() : names.front();
}

// Before a decision: a profile or a gate stands in the way in one run alone.
std::optional<Cause> before_decisions(const PodDifference& pod) {
  const output::PodResult *const a = pod.results[0], *const b = pod.results[1];
  if (a == nullptr || b == nullptr) return std::nullopt;
  const auto only = [&](const char* outcome) -> const output::PodResult* {
    if ((a->outcome == outcome) == (b->outcome == outcome)) return nullptr;
    return a->outcome == outcome ? a : b;
  };
  const auto text = [&](const output::PodResult* one) {
    return fmt::format("in {} alone: {}", one == a ? "A" : "B", one->message);
  };
  if (const output::PodResult* one = only("ignored")) return cause(Kind::kProfile, {}, text(one));
  if (const output::PodResult* one = only("gated"))
    return cause(Kind::kPreEnqueue, first_of(one->refused_by), text(one));
  return std::nullopt;
}

// A node was chosen in the last attempt, and the pod did not stay there.
std::optional<Cause> after_choice(const PodDifference& pod, const PerSide<const Trail*>& trails) {
  for (size_t side = 0; side < trails.size(); ++side) {
    const output::PodResult* const result = pod.results[side];
    const Attempt* const last = trails[side]->last_of(pod.number);
    if (result == nullptr || last == nullptr || last->node == 0 || !result->node.empty()) continue;
    return cause(Kind::kAfterChoice, first_of(result->refused_by),
                 fmt::format("in {}: {}", kSideNames[side], result->message));
  }
  return std::nullopt;
}

// B may have taken another node in its own run.
Cause told(Cause of, const PodDifference& pod) {
  const output::PodResult* const in_b = pod.results[1];
  if (of.taken.empty() || (in_b != nullptr && in_b->node == of.taken)) return of;
  of.why = fmt::format("B takes {} in the cluster of A: {}", of.taken, of.why);
  return of;
}

class LiveExplainer {
 public:
  LiveExplainer(const CauseFinder& of_a, const Trail& of_b) : a_(of_a), b_(of_b) {}

  Cause of(const PodDifference& pod) const {
    if (const Cause* known = a_.cause_of(pod.number)) return told(*known, pod);
    if (auto before = before_decisions(pod)) return *before;
    if (a_.after_a_cause(pod.number)) return cause(Kind::kFollows, {}, {});
    if (auto after = after_choice(pod, {&a_.trail(), &b_})) return *after;
    return cause(a_.order_differs() ? Kind::kQueue : Kind::kFollows, {}, {});
  }

 private:
  const CauseFinder& a_;
  const Trail& b_;
};

// A pod that is evicted in one run alone has the cause of the pod for which it had to leave.
// `cause_of` takes the number of a side and a name; null: it has none.
template <typename CauseOf>
void explain_evictions(std::vector<PodDifference>& pods, CauseOf&& cause_of) {
  for (PodDifference& pod : pods) {
    if (pod.change != Change::kEvictedInA && pod.change != Change::kEvictedInB) continue;
    const size_t side = pod.change == Change::kEvictedInA ? 0 : 1;
    const std::string& by = pod.results[side]->evicted_by;
    const Cause* const known = by.empty() ? nullptr : cause_of(side, by);
    Cause found = known == nullptr ? cause(Kind::kFollows, {}, {}) : *known;
    found.why =
        by.empty() ? pod.results[side]->evicted_because : fmt::format("it leaves for {}", by);
    found.scores = {};
    pod.cause = std::move(found);
  }
}

using ByName = boost::unordered_flat_map<std::string, uint32_t>;

// The last pod of each name.
ByName by_name(const std::vector<output::PodResult>& results,
               const std::vector<uint32_t>& numbers) {
  ByName found;
  for (size_t i = 0; i < results.size(); ++i)
    found[results[i].namespace_name + "/" + results[i].name] = numbers[i];
  return found;
}

// The scores of both nodes, if the result has them.
std::vector<output::NodeScores> scores_of(const output::PodResult& result, const std::string& x,
                                          const std::string& y) {
  std::vector<output::NodeScores> found;
  for (const std::string& name : {x, y}) {
    const auto at = std::ranges::find(result.scores, name, &output::NodeScores::node);
    if (at != result.scores.end()) found.push_back(*at);
  }
  return found;
}

Cause recorded_cause(const PodDifference& pod) {
  if (auto before = before_decisions(pod)) return *before;
  const auto& [a, b] = pod.results;
  if (pod.change == Change::kElsewhere)
    return deciding_score({scores_of(*a, a->node, b->node), scores_of(*b, a->node, b->node)});
  if (pod.change != Change::kPlacedInA && pod.change != Change::kPlacedInB)
    return cause(Kind::kNotRecorded, {}, {});
  const size_t side = pod.change == Change::kPlacedInA ? 1 : 0;
  const output::PodResult& refused = *pod.results[side];
  if (refused.refused_by.empty()) return cause(Kind::kNotRecorded, {}, refused.message);
  return cause(Kind::kFilter, joined(refused.refused_by, ", "),
               fmt::format("in {}: {}", kSideNames[side], refused.message));
}

Time last_try(const PodDifference& pod) {
  Time last{};
  for (const output::PodResult* result : pod.results)
    if (result != nullptr) last = std::max(last, result->tried.value_or(Time::max()));
  return last;
}

}  // namespace

void explain_live(std::vector<PodDifference>& pods, const PerSide<RunFacts>& runs,
                  const PerSide<std::vector<uint32_t>>& numbers, const CauseFinder& of_a,
                  const Trail& of_b) {
  const LiveExplainer explainer(of_a, of_b);
  for (PodDifference& pod : pods) pod.cause = explainer.of(pod);
  const PerSide<ByName> names = {by_name(runs[0].results, numbers[0]),
                                 by_name(runs[1].results, numbers[1])};
  explain_evictions(pods, [&](size_t side, const std::string& name) -> const Cause* {
    const auto at = names[side].find(name);
    return at == names[side].end() ? nullptr : of_a.cause_of(at->second);
  });
}

void explain_recorded(std::vector<PodDifference>& pods) {
  const auto first = std::ranges::min_element(pods, {}, last_try);
  for (auto pod = pods.begin(); pod != pods.end(); ++pod) {
    pod->cause = recorded_cause(*pod);
    pod->cause.exact = pod == first;
  }
  boost::unordered_flat_map<std::string, Cause> causes;
  for (const PodDifference& pod : pods) causes[pod.pod] = pod.cause;
  explain_evictions(pods, [&](size_t /*side*/, const std::string& name) -> const Cause* {
    const auto at = causes.find(name);
    return at == causes.end() ? nullptr : &at->second;
  });
}

}  // namespace berth::cli
