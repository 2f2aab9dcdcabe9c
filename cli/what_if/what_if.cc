#include "cli/what_if/what_if.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "cli/results/drain_results.h"
#include "cli/run/run.h"
#include "cli/what_if/known_objects.h"
#include "cli/what_if/script_source.h"
#include "engine/base/io/interrupts.h"
#include "engine/output/resource_use.h"
#include "engine/output/spread.h"

namespace berth::cli {
namespace {

void play(Run& run) {
  run.load();
  run.schedule();
  if (interrupted()) throw Interrupted{};  // half a run compares with nothing
}

RunFacts facts_of(Run& run) {
  RunFacts facts;
  facts.settings = {
      {"Kubernetes", std::string(version_text(run.core().configuration().rules.version()))}};
  facts.summary = run.summary();
  facts.spread = output::spreads(run.core().snapshot());
  return facts;
}

void keep_end(Run& run, const PodLedger& ledger, size_t side, WhatIf& answer) {
  answer.pods[side] = ledger.pods();
  answer.ended[side] = run.core().now();
  answer.runs.runs[side] = facts_of(run);
  answer.zones[side] = output::pods_per_zone(run.core().snapshot());
}

std::set<std::string> node_names_of(const model::Cluster& cluster) {
  std::set<std::string> names;
  for (model::Slot slot = 0; slot < cluster.nodes().slots(); ++slot)
    if (cluster.nodes().node(slot).present) names.emplace(cluster.nodes().name(slot));
  return names;
}

std::vector<BudgetRefusal> refusals_of(const std::list<controllers::Drain>& drains) {
  std::map<std::string, std::set<std::string>> pods;
  for (const controllers::Drain& drain : drains)
    for (const controllers::Drain::Pod& one : drain.pods())
      if (!one.refusal.empty()) pods[one.refusal].insert(one.pod.full_name());
  std::vector<BudgetRefusal> refusals;
  for (const auto& [text, names] : pods) refusals.push_back({text, {names.begin(), names.end()}});
  return refusals;
}

// The second run, with what happens in its steps.
class ScriptRun {
 public:
  ScriptRun(const RunOptions& options, WhatIfSettings& settings, const Script& script,
            WhatIf& answer)
      : script_(script),
        answer_(answer),
        run_(run_options(options), settings.configuration, settings.plugins) {
    run_.core().join(objects_);
    ledger_.watch(run_.core());
  }

  void ask() {
    play(run_);
    keep_end(run_, ledger_, 1, answer_);
    attribute();
    const std::set<std::string> finished(ledger_.finished().begin(), ledger_.finished().end());
    answer_.changes = compare_pods(
        answer_.pods,
        {ledger_.losses(), finished, node_names_of(run_.core().snapshot()), replicas_});
    name_owners();
    answer_.drains = drain_results(run_.drains());
    answer_.refusals = refusals_of(run_.drains());
  }

 private:
  RunOptions run_options(RunOptions options) {
    options.is_trial = true;
    options.hooks.hears = [this](const runtime::Report& report) { ledger_.take(report); };
    options.hooks.wrap = [this](std::unique_ptr<drive::WorkSource> input) {
      return std::make_unique<ScriptSource>(
          std::move(input), script_, answer_.ended[0], objects_, run_.core(),
          [this](size_t step, const StepChanges& made) { note(step, made); });
    };
    return options;
  }

  void note(size_t number, const StepChanges& made) {
    ledger_.begin_losses();
    const Step& step = script_.steps[number];
    StepOutcome& outcome = answer_.steps.emplace_back();
    outcome.text = step_text(step);
    outcome.at = run_.core().now();
    outcome.nodes = made.nodes;
    const bool evicts = step.verb == Verb::kDrain || step.verb == Verb::kRemove ||
                        (step.verb == Verb::kTaint && step.taint.effect == "NoExecute");
    for (const std::string& node : made.nodes) {
      outcome.pods += run_.core().cluster().pods_on(node).size();
      if (evicts) of_node_[node].push_back(number);
    }
    if (!made.controller) return;
    const std::string owner =
        made.controller->kind + " " + step.scaling.namespace_name + "/" + made.controller->name;
    replicas_[owner] = step.scaling.replicas;
    of_owner_[owner].push_back(number);
  }

  using StepsOf = std::map<std::string, std::vector<size_t>>;

  // The last of the steps about this name that began before.
  const size_t* last_step(const StepsOf& steps, const std::string& name, Time before) const {
    const auto at = steps.find(name);
    if (at == steps.end()) return nullptr;
    const auto after = std::ranges::find_if(
        at->second, [&](size_t step) { return answer_.steps[step].at > before; });
    return after == at->second.begin() ? nullptr : &*std::prev(after);
  }

  // The step because of which the pod left: about its workload, if nobody evicted it, or about its
  // node. Null: none.
  const size_t* step_of(const PodLoss& loss) const {
    if (loss.reason == "Preempted") return nullptr;
    const size_t* scaling =
        loss.reason == "deleted" ? last_step(of_owner_, loss.owner, loss.at) : nullptr;
    return scaling != nullptr ? scaling : last_step(of_node_, loss.node, loss.at);
  }

  void attribute() {
    for (const PodLoss& loss : ledger_.losses())
      if (const size_t* step = step_of(loss))
        ++answer_.steps[*step].lost[loss.reason];
      else
        ++answer_.lost_otherwise;
  }

  // A Deployment's pods name its ReplicaSet.
  void name_owners() {
    std::map<std::string, std::string> texts;
    for (PodChange& change : answer_.changes) {
      const size_t blank = change.owner.find(' '), slash = change.owner.find('/');
      if (slash == std::string::npos) continue;
      std::string& text = texts[change.owner];
      if (text.empty()) {
        model::Controller owner;
        owner.kind = change.owner.substr(0, blank);
        owner.name = change.owner.substr(slash + 1);
        text = objects_.owner_text(change.owner.substr(blank + 1, slash - blank - 1), owner);
      }
      change.owner = text;
    }
  }

  const Script& script_;
  WhatIf& answer_;
  KnownObjects objects_;
  PodLedger ledger_;
  StepsOf of_node_, of_owner_;                // steps, in their order
  std::map<std::string, uint64_t> replicas_;  // by owner
  Run run_;
};

void play_before(const RunOptions& options, WhatIfSettings& settings, WhatIf& answer) {
  PodLedger ledger;
  RunOptions of_run = options;
  of_run.hooks.hears = [&ledger](const runtime::Report& report) { ledger.take(report); };
  Run run(of_run, settings.configuration, settings.plugins);
  ledger.watch(run.core());
  play(run);
  keep_end(run, ledger, 0, answer);
}

}  // namespace

WhatIf what_if(const RunOptions& options, WhatIfSettings settings,
               std::optional<WhatIfSettings> other, const Script& script) {
  WhatIf answer;
  play_before(options, settings, answer);
  ScriptRun(options, other ? *other : settings, script, answer).ask();
  return answer;
}

}  // namespace berth::cli
