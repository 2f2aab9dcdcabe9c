#include "tests/properties/brute_force/brute_force_check.h"

#include <optional>

#include "berth/abi/score.h"
#include "tests/properties/brute_force/brute_force_affinity.h"
#include "tests/properties/brute_force/brute_force_spread.h"

namespace berth::tests::brute {
namespace {

constexpr char kSpreadPlugin[] = "PodTopologySpread";
constexpr char kAffinityPlugin[] = "InterPodAffinity";

std::string text_of(const Status& status) {
  constexpr const char* kNames[] = {"success", "skip", "unschedulable", "unresolvable", "error"};
  return std::string(kNames[static_cast<size_t>(status.code)]) + " [" + status.text + "]";
}

Status status_of(uint8_t code, const std::vector<std::string>& reasons) {
  Status status;
  status.code = code == BERTH_UNSCHEDULABLE                    ? Code::kUnschedulable
                : code == BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE ? Code::kUnresolvable
                                                               : Code::kError;
  for (const std::string& reason : reasons)
    status.text += (status.text.empty() ? "" : ", ") + reason;
  return status;
}

bool equal(const Status& a, const Status& b) { return a.code == b.code && a.text == b.text; }

class Check {
 public:
  Check(runtime::Core& core, const framework::Decision& decision, const model::Pod& pod,
        const Objects& objects, const PluginArguments& arguments, Checked& checked)
      : core_(core),
        decider_(core.scheduler().decisions().decider()),
        decision_(decision),
        pod_(pod),
        objects_(objects),
        checked_(checked),
        spread_(objects, arguments.spread, pod),
        affinity_(objects, arguments.affinity, pod) {}

  std::string run() {
    if (objects_.nodes.empty()) return {};
    ++checked_.decisions;
    if (pre_filter()) rows();
    return problem_.empty() ? problem_ : pod_.name + ": " + problem_;
  }

 private:
  static bool is_ours(const std::string& plugin) {
    return plugin == kSpreadPlugin || plugin == kAffinityPlugin;
  }
  const framework::Profile& profile() const { return *decider_.cycle().profile; }

  void differ(const std::string& where, const std::string& mine, const std::string& theirs) {
    if (problem_.empty()) problem_ = where + ": brute force " + mine + ", the session " + theirs;
  }

  Status pre_filter_of(const std::string& plugin) const {
    return plugin == kSpreadPlugin ? spread_.pre_filter() : affinity_.pre_filter();
  }

  // The plugin that ended the decision in PreFilter, and its status. An empty name: several plugins
  // together.
  std::optional<std::pair<std::string, Status>> pre_filter_end() const {
    if (decision_.pre_filter)
      return std::pair(decision_.pre_filter->plugin,
                       status_of(decision_.pre_filter->code, decision_.pre_filter->reasons));
    const std::string begin = "running PreFilter plugin \"";
    if (!decision_.message.starts_with(begin)) return std::nullopt;
    const size_t quote = decision_.message.find("\": ", begin.size());
    return std::pair(decision_.message.substr(begin.size(), quote - begin.size()),
                     Status{Code::kError, decision_.message.substr(quote + 3)});
  }

  // True if the decision continued after PreFilter.
  bool pre_filter() {
    auto end = pre_filter_end();
    if (end && end->first.empty()) return false;
    for (const auto& hook : profile().pre_filter) {
      const std::string& plugin = hook.point->plugin();
      const bool ended = end && end->first == plugin;
      if (is_ours(plugin)) {
        const Status mine = pre_filter_of(plugin);
        checked_.pre_filtered += ended;
        if (mine.passes() == ended || (ended && !equal(mine, end->second)))
          differ("PreFilter " + plugin, text_of(mine),
                 ended ? text_of(end->second) : std::string("goes on"));
      }
      if (ended) break;
    }
    return !end && problem_.empty();
  }

  struct Refused {
    std::string plugin;
    Status status;
  };

  Status filter(const std::string& plugin, const model::Node& node,
                const std::vector<const model::Pod*>& nominated) const {
    return plugin == kSpreadPlugin ? spread_.filter(node, nominated)
                                   : affinity_.filter(node, nominated);
  }

  // The first refusal by the two plugins among the filters before `until`.
  std::optional<Refused> first_refusal(const model::Node& node, const std::string& until,
                                       const std::vector<const model::Pod*>& nominated) const {
    for (const auto& hook : profile().filter) {
      const std::string& plugin = hook.point->plugin();
      if (plugin == until) break;
      if (!is_ours(plugin)) continue;
      if (Status status = filter(plugin, node, nominated); !status.passes())
        return Refused{plugin, status};
    }
    return std::nullopt;
  }

  void row(const std::string& name, const std::optional<framework::Refusal>& refusal) {
    const model::Node& node = objects_.nodes.at(name);
    const auto nominated = nominated_on(objects_, name, pod_);
    const bool ours = refusal && is_ours(refusal->plugin);
    ++checked_.rows;
    checked_.refused += ours;
    checked_.nominated += !nominated.empty();
    // If another filter refused, it may have done so in the first pass, and the second pass is
    // unknown.
    const std::string until = refusal && !ours ? refusal->plugin : std::string();
    std::optional<Refused> mine = first_refusal(node, until, nominated);
    if (!mine && until.empty()) mine = first_refusal(node, until, {});
    const std::string expected = mine ? mine->plugin + " " + text_of(mine->status) : "nothing";
    std::string found = "nothing";
    if (ours) found = refusal->plugin + " " + text_of(status_of(refusal->code, refusal->reasons));
    if (expected != found) differ("refusal of " + name, expected, found);
  }

  void rows() {
    const framework::SearchResult& search_result = decider_.search_result();
    std::vector<model::Row> searched;
    search_result.for_each_row([&](model::Row row) { searched.push_back(row); });
    for (model::Row row : searched) {
      const std::string name(core_.cluster().node_name(row));
      std::optional<framework::Refusal> refusal = decider_.refusal(row);
      if (!refusal) feasible_[name] = row;
      if (!refusal || refusal->plugin != "PreFilter") this->row(name, refusal);
    }
    if (feasible_.size() > 1 && !profile().score.empty() && problem_.empty()) scores();
  }

  void scores() {
    std::vector<std::string> names;
    for (const auto& [name, row] : feasible_) names.push_back(name);
    const Scores by_spread = spread_.score(names), by_affinity = affinity_.score(names);
    for (const auto& hook : profile().pre_score) {
      const std::string& plugin = hook.point->plugin();
      const std::string begin = "running PreScore plugin \"" + plugin + "\": ";
      const bool failed = decision_.message.starts_with(begin);
      if (is_ours(plugin)) {
        const Status& mine = (plugin == kSpreadPlugin ? by_spread : by_affinity).status;
        if (failed != (mine.code == Code::kError) ||
            (failed && decision_.message != begin + mine.text))
          return differ("PreScore " + plugin, text_of(mine), decision_.message);
      }
      if (failed) return;
    }
    if (decision_.scored) {
      compare(kSpreadPlugin, by_spread);
      compare(kAffinityPlugin, by_affinity);
    }
  }

  std::optional<framework::HookScores> scores_of(const std::string& plugin) const {
    for (const framework::HookScores& scores : decider_.scores())
      if (profile().score[scores.hook].point->plugin() == plugin) return scores;
    return std::nullopt;
  }

  void compare(const std::string& plugin, const Scores& mine) {
    bool enabled = false;
    for (const auto& hook : profile().score) enabled |= hook.point->plugin() == plugin;
    if (!enabled) return;
    const std::optional<framework::HookScores> theirs = scores_of(plugin);
    const bool skipped = mine.status.code == Code::kSkip;
    if (skipped != !theirs.has_value())
      return differ("PreScore " + plugin, text_of(mine.status), skipped ? "scores" : "does not");
    if (skipped) return;
    ++checked_.scored;
    for (const auto& [name, row] : feasible_) {
      ++checked_.scores;
      const int64_t raw = theirs->raw(row);
      // The session does not score ignored nodes. kube-scheduler gives them 0 before it ignores
      // them.
      if (mine.raw.at(name) == (raw == BERTH_NOT_SCORED ? 0 : raw) &&
          mine.final.at(name) == theirs->final(row))
        continue;
      differ("score of " + name + " by " + plugin,
             std::to_string(mine.raw.at(name)) + "/" + std::to_string(mine.final.at(name)),
             std::to_string(raw) + "/" + std::to_string(theirs->final(row)));
    }
  }

  runtime::Core& core_;
  framework::Decider& decider_;
  const framework::Decision& decision_;
  const model::Pod& pod_;
  const Objects& objects_;
  Checked& checked_;
  Spread spread_;
  InterPodAffinity affinity_;
  std::map<std::string, model::Row> feasible_;
  std::string problem_;
};

}  // namespace

std::string disagreement(runtime::Core& core, const runtime::Report& report, const model::Pod& pod,
                         const Objects& objects, const PluginArguments& arguments,
                         Checked& checked) {
  const framework::Decision* decision = runtime::decision_of(report);
  if (decision == nullptr) return {};
  return Check(core, *decision, pod, objects, arguments, checked).run();
}

}  // namespace berth::tests::brute
