#include "engine/explain/explanation.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/explain/change/node_change.h"
#include "engine/explain/change_words.h"
#include "engine/explain/numbers/row_numbers.h"
#include "engine/explain/order.h"
#include "engine/explain/wakers.h"
#include "engine/framework/evaluation/nominated.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::explain {
namespace {

class Explainer {
 public:
  Explainer(runtime::Core& core, const framework::Decision& decision, const model::PodRecord& pod,
            Explanation& out)
      : core_(core),
        cluster_(core.cluster()),
        decider_(core.scheduler().decisions().decider()),
        decision_(decision),
        pod_(pod),
        filters_(core.cluster(), core.calls()),
        with_nominated_(core.cluster(), core.calls()),
        numbers_(core.cluster(), core.calls()),
        out_(out) {}

  void explain() {
    out_.profile = decider_.cycle().profile->scheduler_name();
    if (decision_.pre_filter)
      out_.pre_filter = {decision_.pre_filter->plugin, decision_.pre_filter->code,
                         decision_.pre_filter->reasons};
    // The hooks of a pod that PreFilter let down, by a refusal or a failure, must not be called.
    bool filters = !decision_.pre_filter && filters_may_be_called();
    searched_.assign(cluster_.nodes().rows(), false);
    decider_.search_result().for_each_row([&](model::Row row) { searched_[row] = true; });
    add_score_plugins();
    for (model::Row row = 0; row < cluster_.nodes().rows(); ++row) add_node(row, filters);
    if (decision_.outcome == framework::Outcome::kUnschedulable) add_post_filter();
    if (filters) core_.try_changes([this](model::Cluster& cluster) { add_changes(cluster); });
    if (decision_.outcome == framework::Outcome::kScheduled) {
      say_why();
      say_who_is_not_asked();
    }
    order(out_);
  }

 private:
  // Every PreFilter was asked: each one either ran or skipped.
  bool filters_may_be_called() const {
    const framework::DecisionContext& cycle = decider_.cycle();
    for (size_t i = 0; i < cycle.pre_filter().ran.size(); ++i)
      if (!cycle.pre_filter().ran[i] && !cycle.pre_filter().skipped[i]) return false;
    return true;
  }

  void add_score_plugins() {
    out_.scored = decision_.scored;
    if (!decision_.scored) return;
    for (const auto& hook : decider_.cycle().profile->score)
      out_.score_plugins.push_back(
          {hook.point->plugin(), hook.weight, !decider_.cycle().calls(hook)});
  }

  void add_node(model::Row row, bool filters) {
    Explanation::Node node;
    node.name = cluster_.node_name(row);
    node.searched = searched_[row];
    node.won = row == decision_.row;
    if (filters) {
      node.feasible = add_filters(row, node);
      if (!searched_[row]) look_outside(row, node);
      if (decision_.scored && node.feasible && searched_[row]) add_scores(row, node);
    }
    out_.nodes.push_back(std::move(node));
  }

  void add_post_filter() {
    Explanation::PostFilter& told = out_.post_filter.emplace();
    if (!decision_.post_filter) {
      told.not_asked = cluster_.nodes().rows() == 0 ? "there are no nodes"
                                                    : "the profile has no PostFilter plugin";
      return;
    }
    const framework::PostFilterResult& result = *decision_.post_filter;
    for (const framework::PostFilterResult::Text& text : result.texts)
      told.texts.push_back({text.plugin, text.text});
    if (result.plugin.empty()) return;
    told.plugin = result.plugin;
    told.node = cluster_.node_name(result.row);
    for (const model::PodId victim : result.victims)
      told.victims.push_back(
          {model::full_name(cluster_, cluster_.pod(victim)), cluster_.pod(victim).priority});
    told.draws = std::ranges::count_if(out_.nodes, may_be_nominated) > 1;
  }

  // No refusal of the node says that evictions do not help.
  static bool may_be_nominated(const Explanation::Node& node) {
    return node.outside.empty() && std::ranges::none_of(node.filters, [](const auto& filter) {
             return filter.reported && filter.code == BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
           });
  }

  void look_outside(model::Row row, Explanation::Node& node) {
    std::optional<framework::Refusal> refusal = decider_.refusal(row);
    if (!refusal || refusal->plugin != "PreFilter") return;
    node.outside = fmt::format("{}", fmt::join(refusal->reasons, ", "));
    node.feasible = false;
    for (Explanation::Filter& filter : node.filters) filter.reported = false;
  }

  // True if all filters pass. The first refusal counts, first with the nominated pods added and
  // then without them.
  bool add_filters(model::Row row, Explanation::Node& node) {
    const framework::DecisionContext& cycle = decider_.cycle();
    const bool nominated = framework::any_nominated(cluster_, row, cycle);
    with_nominated_.begin(cycle, row);
    with_nominated_.add_nominated();
    for (size_t i = 0; i < cycle.profile->filter.size(); ++i) {
      const auto& hook = cycle.profile->filter[i];
      Explanation::Filter filter;
      filter.plugin = hook.point->plugin();
      filter.skipped = !cycle.calls(hook);
      if (!filter.skipped) ask(i, row, nominated ? &with_nominated_ : nullptr, filter);
      node.filters.push_back(std::move(filter));
    }
    for (bool counting : {true, false})
      for (Explanation::Filter& filter : node.filters) {
        if (filter.code == BERTH_SUCCESS || filter.counting_nominated != counting) continue;
        filter.reported = true;
        return false;
      }
    return true;
  }

  void ask(size_t i, model::Row row, const framework::ChangedRow* with,
           Explanation::Filter& filter) {
    const framework::DecisionContext& cycle = decider_.cycle();
    cycle.refresh_filters();
    std::string error;
    if (with != nullptr) {
      filter.code = filters_.verdict(cycle, i, row, with, error);
      filter.counting_nominated = filter.code != BERTH_SUCCESS;
    }
    if (filter.code == BERTH_SUCCESS) filter.code = filters_.verdict(cycle, i, row, nullptr, error);
    if (filter.code == BERTH_ERROR) {
      filter.reasons = {error};
    } else if (filter.code != BERTH_SUCCESS) {
      filter.reasons = filters_.reasons(cycle, i, row);
      filter.numbers =
          numbers_.of_filter(cycle, i, row, filter.counting_nominated ? with : nullptr);
    }
  }

  void add_scores(model::Row row, Explanation::Node& node) {
    decider_.cycle().refresh_scores();
    node.total = decider_.search_result().total(row);
    node.scores.resize(out_.score_plugins.size());
    for (const framework::HookScores& scores : decider_.scores()) {
      int64_t weight = out_.score_plugins[scores.hook].weight;
      Explanation::Score& score = node.scores[scores.hook];
      if (scores.raw(row) != BERTH_NOT_SCORED) score.raw = scores.raw(row);
      score.normalised = scores.final(row);
      score.weighted = weight * scores.final(row);
      score.numbers = numbers_.of_score(decider_.cycle(), scores.hook, row);
    }
  }

  void add_changes(model::Cluster& cluster) {
    NodeChangeFinder finder(cluster, core_.calls());
    for (model::Row row = 0; row < cluster_.nodes().rows(); ++row)
      add_change(row, finder, out_.nodes[row]);
  }

  void add_change(model::Row row, NodeChangeFinder& finder, Explanation::Node& node) {
    // PreFilter excludes nodes by name, so no change of the node would help.
    if (node.feasible || !node.outside.empty()) return;
    // A plugin's error is not a property of the node, so no change of the node is sought.
    for (const Explanation::Filter& filter : node.filters)
      if (filter.code == BERTH_ERROR) return;
    auto changes = finder.smallest_change(decider_.cycle(), row);
    if (!changes) return;
    node.change.emplace();
    for (const NodeChange& change : *changes)
      node.change->push_back({cluster_.catalog().info(change.column).id,
                              words(cluster_, cluster_.catalog(), pod_, row, change),
                              missing(cluster_.catalog(), change)});
  }

  std::string_view choice_of_equals() const {
    return core_.configuration().rules.has(Rule::kTiesByHeap)
               ? "takes one by the order in which it searched them"
               : "draws among them";
  }

  void say_why() {
    size_t feasible = 0, best = 0;
    for (const Explanation::Node& node : out_.nodes) {
      if (!node.feasible || !node.searched) continue;
      ++feasible;
      if (!decision_.scored || node.total == decider_.search_result().total(decision_.row)) ++best;
    }
    if (decider_.search_result().listed && pod_.nominated_node != 0 &&
        cluster_.text(pod_.nominated_node) == cluster_.node_name(decision_.row)) {
      out_.why = "the pod is nominated to it and it is feasible, so no other node was searched";
    } else if (feasible == 1) {
      out_.why = "it is the only feasible node, so nothing was scored";
    } else {
      int64_t total = decider_.search_result().total(decision_.row);
      out_.why = best == 1 ? fmt::format("its total of {} is the highest of {} feasible nodes",
                                         total, feasible)
                           : fmt::format(
                                 "{} of {} feasible nodes have the highest total of {}; "
                                 "the scheduler {}, here the first by name is shown",
                                 best, feasible, total, choice_of_equals());
    }
  }

  void say_who_is_not_asked() {
    const framework::Profile& profile = *decider_.cycle().profile;
    add_not_asked(profile.reserve);
    add_not_asked(profile.permit);
    add_not_asked(profile.pre_bind);
  }

  // Hooks that follow a PreFilter that skips the pod are not called in a run either.
  template <typename Hooks>
  void add_not_asked(const Hooks& hooks) {
    for (const auto& hook : hooks) {
      if (hook.before != framework::kNoHook && decider_.cycle().pre_filter().skipped[hook.before])
        continue;
      const std::string point(point_name(hook.point->point()));
      auto& all = out_.not_asked;
      auto known = std::ranges::find(all, hook.point->plugin(), &Explanation::NotAsked::plugin);
      if (known == all.end())
        known = all.insert(all.end(), Explanation::NotAsked{hook.point->plugin(), {}});
      known->points.push_back(point);
    }
  }

  runtime::Core& core_;
  const model::Cluster& cluster_;
  framework::Decider& decider_;
  const framework::Decision& decision_;
  const model::PodRecord& pod_;
  framework::RowFilter filters_;
  framework::ChangedRow with_nominated_;
  RowNumbers numbers_;
  Explanation& out_;
  std::vector<bool> searched_;
};

std::vector<Explanation::Waker> wakers(runtime::Core& core, model::PodId pod,
                                       const std::vector<std::string>& plugins) {
  std::vector<Explanation::Waker> wakers;
  const runtime::QueuePolicy& policy = core.scheduler().policy();
  const auto profile = policy.profile_of(core.cluster().pod(pod));
  if (!profile) return wakers;
  for (const std::string& plugin : plugins)
    wakers.push_back(waker(policy.hints(), *profile, plugin));
  return wakers;
}

std::vector<std::string> all_of(const framework::Refusers& refusers) {
  std::vector<std::string> plugins = refusers.plugins;
  plugins.insert(plugins.end(), refusers.pending.begin(), refusers.pending.end());
  return plugins;
}

runtime::PodOutcome outcome_of(const framework::Decision& decision) {
  switch (decision.outcome) {
    case framework::Outcome::kScheduled:
      return runtime::PodOutcome::kScheduled;
    case framework::Outcome::kUnschedulable:
      return runtime::PodOutcome::kUnschedulable;
    case framework::Outcome::kError:
      break;
  }
  return runtime::PodOutcome::kError;
}

}  // namespace

std::optional<Explanation> explain_waiting(runtime::Core& core, model::PodId id) {
  const model::Cluster& cluster = core.snapshot();
  const model::PodRecord& pod = cluster.pod(id);
  const auto profile = core.scheduler().policy().profile_of(pod);
  if (!profile || pod.state != model::PodState::kWaiting || pod.terminating) return std::nullopt;
  runtime::Decisions& decisions = core.scheduler().decisions();
  const framework::Decision& decision = decisions.decider().decide(
      core.scheduler().policy().profile(*profile), {.pod = &pod, .attempt = pod.attempts});
  Explanation explanation;
  explanation.pod = model::full_name(cluster, pod);
  explanation.kube_version = version_text(core.configuration().rules.version());
  explanation.outcome = outcome_of(decision);
  explanation.message = decision.event();
  if (decision.outcome == framework::Outcome::kScheduled)
    explanation.node = cluster.node_name(decision.row);
  if (decision.outcome == framework::Outcome::kUnschedulable)
    explanation.wakers = wakers(core, id, all_of(decision.refused_by));
  Explainer(core, decision, pod, explanation).explain();
  decisions.end();
  return explanation;
}

Explanation explain(runtime::Core& core, const model::Pod& pod) {
  Explanation explanation;
  explanation.pod = pod.namespace_name + "/" + pod.name;
  explanation.kube_version = version_text(core.configuration().rules.version());
  const model::PodId id = core.door().add(pod);
  // Within the report: afterwards the decider's state is not of this pod any more.
  bool explained = false;
  const auto explain = [&](const framework::Decision& decision) {
    if (!explained) Explainer(core, decision, core.cluster().pod(id), explanation).explain();
    explained = true;
  };
  core.report_to([&](const runtime::Report& report) {
    if (const auto* chosen = std::get_if<runtime::Chosen>(&report)) explain(*chosen->choice);
    const auto outcome = runtime::outcome_of(report);
    if (!outcome) return;
    explanation.outcome = *outcome;
    std::visit(runtime::Match{
                   [&](const runtime::Scheduled& to) { explanation.node = to.node; },
                   [&](const runtime::Gated& gated) {
                     explanation.gated_by = gated.plugin;
                     explanation.message = gated.message;
                     explanation.wakers = wakers(core, id, {gated.plugin});
                   },
                   [&](const runtime::Ignored& ignored) { explanation.message = ignored.message; },
                   [](const auto&) {},
               },
               report);
    const framework::Decision* decision = runtime::decision_of(report);
    if (decision == nullptr) return;
    explanation.message = decision->event();
    if (*outcome == runtime::PodOutcome::kUnschedulable)
      explanation.wakers = wakers(core, id, all_of(decision->refused_by));
    explain(*decision);
  });
  core.door().arrive({&id, 1});
  core.run_until_idle();
  core.report_to([](const runtime::Report&) {});
  core.door().remove(id);
  return explanation;
}

}  // namespace berth::explain
