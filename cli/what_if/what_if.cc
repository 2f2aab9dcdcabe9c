#include "cli/what_if/what_if.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "cli/results/drain_results.h"
#include "cli/run/run.h"
#include "cli/what_if/known_objects.h"
#include "cli/what_if/script_source.h"
#include "cli/what_if/step_log.h"
#include "cli/what_if/watch_source.h"
#include "engine/base/io/interrupts.h"
#include "engine/output/resource_use.h"
#include "engine/output/spread.h"

namespace berth::cli {
namespace {

// False: the run was interrupted.
bool play(Run& run) {
  try {
    run.load();
    run.schedule();
  } catch (const Interrupted&) {
    return false;
  }
  return !interrupted();
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
        run_(run_options(options), settings.configuration, settings.plugins),
        steps_(run_.core(), objects_) {
    run_.core().join(objects_);
    ledger_.watch(run_.core());
  }

  void ask() {
    answer_.partial = !play(run_);
    keep_end(run_, ledger_, 1, answer_);
    steps_.attribute(ledger_.losses(), answer_);
    name_controllers_now();
    const std::set<std::string> finished(ledger_.finished().begin(), ledger_.finished().end());
    answer_.changes = compare_pods(
        answer_.pods, {ledger_.losses(), finished, node_names_of(run_.core().snapshot()),
                       steps_.replicas(), steps_.removed()});
    name_owners();
    answer_.drains = drain_results(run_.drains());
    answer_.refusals = refusals_of(run_.drains());
  }

 private:
  using Source = RunHooks::Source;

  RunOptions run_options(RunOptions options) {
    const bool admission = options.admission;
    options.is_trial = true;
    options.hooks.hears = [this](const runtime::Report& report) { ledger_.take(report); };
    options.hooks.wrap = [this, admission](Source input, ingest::Creation& creation) {
      return script_.watch.empty() ? of_script(std::move(input))
                                   : of_watch(std::move(input), creation, admission);
    };
    return options;
  }

  Source of_script(Source input) {
    return std::make_unique<ScriptSource>(std::move(input), script_, answer_.ended[0], objects_,
                                          run_.core(),
                                          [this](size_t step, const StepChanges& made) {
                                            ledger_.begin_losses();
                                            steps_.note(script_.steps[step], made);
                                          });
  }

  Source of_watch(Source input, ingest::Creation& creation, bool admission) {
    const KubeVersion version = run_.core().configuration().rules.version();
    const WatchedChanges changes{
        script_.file, script_.watch,
        admission ? ingest::validation_by(version) : ingest::Validation::kNone};
    return std::make_unique<WatchSource>(std::move(input), changes, answer_.ended[0], creation,
                                         run_.core(), [this](const ingest::Batch& batch) {
                                           ledger_.begin_losses();
                                           steps_.note(batch, script_.file);
                                         });
  }

  // A workload whose template changed has its pods all the same.
  void name_controllers_now() {
    for (std::vector<PodState>& pods : answer_.pods)
      for (PodState& pod : pods) pod.owner = steps_.owner_now(pod.owner);
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
  Run run_;
  StepLog steps_;
};

void play_before(const RunOptions& options, WhatIfSettings& settings, WhatIf& answer) {
  PodLedger ledger;
  RunOptions of_run = options;
  of_run.hooks.hears = [&ledger](const runtime::Report& report) { ledger.take(report); };
  Run run(of_run, settings.configuration, settings.plugins);
  ledger.watch(run.core());
  if (!play(run)) throw Interrupted{};  // there is nothing to compare with
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
