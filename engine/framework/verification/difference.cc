#include "engine/framework/verification/difference.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/text/joined.h"

namespace berth::framework {
namespace {

const char* words(Outcome outcome) {
  switch (outcome) {
    case Outcome::kScheduled:
      return "scheduled";
    case Outcome::kUnschedulable:
      return "unschedulable";
    case Outcome::kError:
      break;
  }
  return "error";
}

const char* words(Nominating nominating) {
  switch (nominating) {
    case Nominating::kKeep:
      return "stays as it is";
    case Nominating::kClear:
      return "is cleared";
    case Nominating::kSet:
      break;
  }
  return "is set";
}

std::string listed(const std::vector<std::string>& texts) {
  return texts.empty() ? "none" : joined(texts, ", ");
}

std::string code_words(uint8_t code) {
  switch (code) {
    case BERTH_UNSCHEDULABLE:
      return "unschedulable";
    case BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE:
      return "unschedulable and unresolvable";
    default:
      return "code " + std::to_string(code);
  }
}

class Comparison {
 public:
  Comparison(const model::Cluster& cluster, const Decided& mine, const Decided& reference)
      : cluster_(cluster),
        mine_(mine),
        reference_(reference),
        profile_(*mine.decider.cycle().profile) {}

  std::optional<Difference> run() {
    // Without nodes no hook is asked, and after an error what was reached depends on how.
    const bool failed =
        mine_.decision.outcome == Outcome::kError || reference_.decision.outcome == Outcome::kError;
    if (cluster_.nodes().rows() != 0 && !failed) {
      compare_pre_filters();
      compare_rows();
      if (mine_.decision.scored && reference_.decision.scored) compare_scores();
    }
    if (failed) compare_errors();
    compare_decisions();
    return std::move(first_);
  }

 private:
  bool differs(Difference difference) {
    if (!first_ && difference.mine != difference.reference) first_ = std::move(difference);
    return first_.has_value();
  }
  template <typename Point>
  static Difference at(const HookAt<Point>& hook, std::string what) {
    Difference made;
    made.what = std::move(what);
    made.plugin = hook.point->plugin();
    made.point = point_name(hook.point->point());
    made.declared = listed(hook.point->inputs());
    return made;
  }

  // The answers of hooks that are asked once for the pod.
  template <typename Point, typename Answers>
  void compare_asked(const std::vector<HookAt<Point>>& hooks,
                     const Answers& (DecisionContext::*answers)() const) {
    const auto answer = [&](const Decided& of, size_t hook) -> std::string {
      const Answers& given = (of.decider.cycle().*answers)();
      if (given.skipped[hook]) return "skips the pod";
      return given.ran[hook] ? "success" : "a refusal, or not asked";
    };
    for (size_t i = 0; i < hooks.size() && !first_; ++i) {
      Difference one = at(hooks[i], "answer about the pod");
      one.mine = answer(mine_, i);
      one.reference = answer(reference_, i);
      differs(std::move(one));
    }
  }
  void compare_pre_filters() { compare_asked(profile_.pre_filter, &DecisionContext::pre_filter); }

  std::string verdict_words(Refuser refuser, uint8_t code) const {
    if (refuser == kFeasible) return "feasible";
    const std::string by =
        refuser == kByExtender ? "an extender" : profile_.filter[refuser - 1].point->plugin();
    return "refused by " + by + " (" + code_words(code) + ")";
  }
  static std::vector<model::Row> rows_of(const Decided& of) {
    std::vector<model::Row> rows;
    of.decider.search_result().for_each_row([&](model::Row row) { rows.push_back(row); });
    return rows;
  }
  std::string row_words(const std::vector<model::Row>& rows, size_t i) const {
    return i < rows.size() ? std::string(cluster_.node_name(rows[i])) : "none: the search is over";
  }

  void compare_rows() {
    const std::vector<model::Row> mine = rows_of(mine_), reference = rows_of(reference_);
    for (size_t i = 0; i < std::max(mine.size(), reference.size()) && !first_; ++i) {
      Difference order;
      order.what = "node " + std::to_string(i + 1) + " of the search";
      order.mine = row_words(mine, i);
      order.reference = row_words(reference, i);
      if (!differs(std::move(order))) compare_verdict(mine[i]);
    }
  }
  // The first filter whose answer differs is the first that refuses the row by either of the two.
  void compare_verdict(model::Row row) {
    const SearchResult& mine = mine_.decider.search_result();
    const SearchResult& reference = reference_.decider.search_result();
    const Refuser a = mine.refuser[row], b = reference.refuser[row];
    if (a == b && (a == kFeasible || mine.code[row] == reference.code[row])) return;
    const Refuser first = a == kFeasible || (b != kFeasible && b < a) ? b : a;
    Difference one;
    if (first != kByExtender) one = at(profile_.filter[first - 1], {});
    one.what = "verdict";
    one.node = cluster_.node_name(row);
    one.mine = verdict_words(a, mine.code[row]);
    one.reference = verdict_words(b, reference.code[row]);
    differs(std::move(one));
  }

  void compare_scores() {
    compare_asked(profile_.pre_score, &DecisionContext::pre_score);
    const auto& mine = mine_.decider.scores();
    const auto& reference = reference_.decider.scores();
    Difference count;
    count.what = "number of plugins that score";
    count.mine = std::to_string(mine.size());
    count.reference = std::to_string(reference.size());
    if (differs(std::move(count))) return;
    using Value = int64_t (HookScores::*)(model::Row) const;
    const std::pair<const char*, Value> values[] = {{"raw score", &HookScores::raw},
                                                    {"normalised score", &HookScores::final}};
    for (const auto& value : values)
      for_each_feasible([&](model::Row row) {
        for (size_t i = 0; i < mine.size() && !first_; ++i) {
          const int64_t a = (mine[i].*value.second)(row), b = (reference[i].*value.second)(row);
          if (a == b && mine[i].hook == reference[i].hook) continue;
          Difference one = at(profile_.score[reference[i].hook], value.first);
          one.node = cluster_.node_name(row);
          one.mine = std::to_string(a);
          one.reference = std::to_string(b);
          differs(std::move(one));
        }
      });
    for_each_feasible([&](model::Row row) {
      const int64_t a = mine_.decider.search_result().total(row);
      const int64_t b = reference_.decider.search_result().total(row);
      if (a == b) return;
      Difference one;
      one.what = "total score";
      one.node = cluster_.node_name(row);
      one.mine = std::to_string(a);
      one.reference = std::to_string(b);
      differs(std::move(one));
    });
  }
  template <typename Visit>
  void for_each_feasible(Visit&& visit) const {
    const SearchResult& found = mine_.decider.search_result();
    found.for_each_row([&](model::Row row) {
      if (!first_ && found.refuser[row] == kFeasible) visit(row);
    });
  }

  std::string node_words(model::Row row) const {
    return row == model::kNoRow ? "none" : std::string(cluster_.node_name(row));
  }
  static std::string refusal_words(const Decision& decision) {
    if (!decision.pre_filter) return "none";
    const PreFilterRefusal& by = *decision.pre_filter;
    return by.plugin + " (" + code_words(by.code) + "): " + listed(by.reasons);
  }
  static std::string reason_words(const Decision& decision) {
    std::vector<std::string> parts;
    for (const auto& [reason, count] : decision.reasons)
      parts.push_back(std::to_string(count) + " x " + reason);
    std::sort(parts.begin(), parts.end());
    return listed(parts);
  }
  std::string post_filter_words(const Decision& decision) const {
    if (!decision.post_filter) return "not asked";
    const PostFilterResult& result = *decision.post_filter;
    std::string text = result.plugin.empty() ? "no nomination" : result.plugin + " nominates ";
    if (!result.plugin.empty()) text += node_words(result.row);
    text += ", victims: ";
    std::vector<std::string> victims;
    for (const model::PodId pod : result.victims)
      victims.emplace_back(cluster_.text(cluster_.pod(pod).name));
    return text + listed(victims) + "; texts: " + result.joined_texts();
  }
  // The decisions of the two, in order; the parts that other steps compare come last.
  std::vector<std::pair<const char*, std::string>> parts(const Decision& decision) const {
    const auto number = [](uint64_t value) { return std::to_string(value); };
    return {{"outcome", words(decision.outcome)},
            {"message", decision.message},
            {"feasible nodes", number(decision.feasible)},
            {"evaluated nodes", number(decision.evaluated)},
            {"start of the next search", number(decision.next_start)},
            {"whether nodes are scored", decision.scored ? "yes" : "no"},
            {"draw among the best nodes", number(decision.draw)},
            {"node", node_words(decision.row)},
            {"refusal by PreFilter", refusal_words(decision)},
            {"reasons", reason_words(decision)},
            {"plugins that refuse the pod", listed(decision.refused_by.plugins)},
            {"plugins that the pod waits for", listed(decision.refused_by.pending)},
            {"answer of PostFilter", post_filter_words(decision)},
            {"nomination", words(decision.nominating)}};
  }
  // The error of a filter that failed the pod. Null: there is none.
  static const SearchError* failed_filter(const Decided& of) {
    const std::optional<SearchError>& error = of.decider.search_result().error;
    const bool failed = of.decision.outcome == Outcome::kError && error;
    return failed && error->text == of.decision.message ? &*error : nullptr;
  }
  static std::string outcome_words(const Decision& decision) {
    return decision.outcome == Outcome::kError ? decision.message : words(decision.outcome);
  }
  // One of the two failed because of a filter that answers differently if it is asked differently.
  void compare_errors() {
    if (first_) return;
    const SearchError* error = failed_filter(mine_);
    if (error == nullptr) error = failed_filter(reference_);
    if (error == nullptr) return;
    Difference one = at(profile_.filter[error->filter - 1], "outcome");
    one.mine = outcome_words(mine_.decision);
    one.reference = outcome_words(reference_.decision);
    differs(std::move(one));
  }
  void compare_decisions() {
    if (first_) return;
    const auto mine = parts(mine_.decision), reference = parts(reference_.decision);
    for (size_t i = 0; i < mine.size(); ++i) {
      Difference one;
      one.what = mine[i].first;
      one.mine = mine[i].second;
      one.reference = reference[i].second;
      differs(std::move(one));
    }
  }

  const model::Cluster& cluster_;
  const Decided& mine_;
  const Decided& reference_;
  const Profile& profile_;
  std::optional<Difference> first_;
};

std::vector<std::string> details(const Difference& difference, const std::string& evaluation) {
  std::vector<std::string> lines;
  if (!difference.node.empty()) lines.push_back("node: " + difference.node);
  if (!difference.plugin.empty())
    lines.push_back("plugin: " + difference.plugin + ", " + difference.point +
                    "; it declares: " + difference.declared);
  lines.push_back(evaluation + " evaluation: " + difference.mine);
  lines.push_back("reference evaluation: " + difference.reference);
  if (difference.plugin.empty()) {
    lines.emplace_back(
        "no answer of a plugin differs, so this is a fault of Berth: please report it with the "
        "input of the run");
  } else {
    lines.push_back(
        "most likely this hook of the plugin reads more than it declares, so its kept answer was "
        "not asked for again: declare every column that it reads, or BERTH_DEPENDS_EXTERNAL if "
        "it reads anything else");
    lines.emplace_back(
        "or its answer about a node depends on the other nodes of a call, or on earlier calls: it "
        "must not; `berth plugin check FILE` looks for both");
  }
  lines.emplace_back(
      "--evaluation=reference decides without kept answers; --verify-evaluation=0 does not verify");
  return lines;
}

}  // namespace

std::optional<Difference> first_difference(const model::Cluster& cluster, const Decided& mine,
                                           const Decided& reference) {
  return Comparison(cluster, mine, reference).run();
}

EvaluationDiffers explain(const Difference& difference, const std::string& pod, uint64_t number,
                          const std::string& evaluation) {
  return EvaluationDiffers(Place{},
                           "decision " + std::to_string(number) + ", about pod \"" + pod +
                               "\", differs from the reference evaluation's: " + difference.what +
                               (difference.node.empty() ? "" : " of a node"),
                           details(difference, evaluation));
}

}  // namespace berth::framework
