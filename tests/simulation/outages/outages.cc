#include "tests/simulation/outages/outages.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "tests/simulation/configuration.h"
#include "tests/simulation/outages/budget_check.h"
#include "tests/simulation/outages/end_check.h"
#include "tests/simulation/outages/outage_script.h"
#include "tests/simulation/outages/outage_world.h"
#include "tests/simulation/outages/pod_count.h"
#include "tests/simulation/outages/pod_lives.h"
#include "tests/simulation/outages/unsure_sink.h"
#include "tests/simulation/outages/witness.h"
#include "tests/simulation/plugins.h"
#include "tests/simulation/report_text.h"
#include "tests/simulation/world/chaos_answers.h"

namespace berth::simulation {
namespace {

using std::chrono::minutes;

// Without groups, and with answers to bindings that may be late.
Rates draw_outage_rates(Dice& dice) {
  Rates rates = draw_rates(dice);
  rates.group_members = 0;
  rates.late_answers = draw_late_answers(dice);
  return rates;
}

class Outages {
 public:
  Outages(uint64_t seed, const Way& way)
      : draws_(mix(seed ^ 0x5bd1'e995'0b2c'4f37)),
        answers_(mix(seed ^ 0x27d4'eb2f'1656'67c5)),
        rates_(draw_outage_rates(draws_)),
        world_(draw_outage_world(draws_)),
        chaos_(seed, answers_, rates_, chaos_marks_),
        sink_(answers_, rates_, marks_),
        machines_(world_.nodes, draws_.chance(50)),
        budgets_(world_),
        script_(draws_, world_, machines_, marks_,
                [this](const std::string& workload, uint64_t replicas) {
                  budgets_.scaled(workload, replicas);
                }),
        api_(api_options()),
        core_(std::make_unique<runtime::Core>(configuration(rates_, chaos_.faults(), Rules()),
                                              plugins(), options(seed, way),
                                              [this](const auto& report) { take(report); })),
        witness_(*core_, budgets_) {
    chaos_.attach(*core_);
    lives_.attach(*core_);
    budgets_.attach(*core_);
    core_->join(witness_);
    api_.attach(*core_);
    sink_.attach(*core_, api_);
    machines_.attach(*core_, api_);
    script_.attach(*core_, api_);
  }

  OutageOutcome run() {
    const std::vector<OutageAct> acts = script_.draw();
    script_.begin();
    rest();
    for (const OutageAct& act : acts) {
      pass_to(act.at);
      if (!outcome_.fault.empty()) break;
      note(act.words);
      act.act();
      rest();
    }
    if (outcome_.fault.empty()) heal();
    return outcome();
  }

 private:
  played::ApiServerOptions api_options() {
    played::ApiServerOptions options;
    options.bindings = &sink_;
    options.controllers = played::ControllerList::all();
    options.on_eviction = [this](const played::EvictionAnswer& answer) { answered(answer); };
    options.on_drain = [this](std::string_view node, std::string_view line) { drains(node, line); };
    return options;
  }
  runtime::CoreOptions options(uint64_t seed, const Way& way) {
    runtime::CoreOptions options;
    options.scheduler = scheduler_options(seed, way);
    options.server = &api_;
    options.audits = way.audits;
    options.retire_always = draws_.chance(30);
    // The binding thread draws, too: see Simulation.
    options.scheduler.bind_batch = static_cast<size_t>(draws_.one_of<int64_t>({1, 3, 31}));
    static_assert(binding::Binder::kHandOver > 31);
    return options;
  }
  OutageOutcome outcome() {
    uint64_t errors = 0;
    for (size_t point = 0; point < kFaultPoints; ++point) errors += chaos_marks_.counts()[point];
    marks_.hit(Outage::kPluginFails, errors);
    for (const controllers::Drain& drain : api_.drains())
      if (drain.outcome() == controllers::Drain::Outcome::kDrained) marks_.hit(Outage::kDrainEnds);
    for (const DrawnWorkload& one : world_.workloads)
      outcome_.made += lives_.of(one.object.name).made;
    note("decision hash " + core_->scheduler().decisions().hash().to_string());
    outcome_.decisions = core_->scheduler().decisions().count();
    outcome_.marks = marks_.counts();
    return std::move(outcome_);
  }

  void note(const std::string& words) {
    outcome_.events.push_back(std::to_string(core_->now().count() / 1'000'000) + "ms " + words);
  }
  void wrong(const std::string& words) {
    if (!words.empty() && outcome_.fault.empty())
      outcome_.fault = std::to_string(core_->now().count() / 1'000'000) + "ms " + words;
  }
  std::string name(model::PodId pod) const {
    return std::string(core_->cluster().text(core_->cluster().pod(pod).name));
  }

  void answered(const played::EvictionAnswer& answer) {
    note("eviction of " + answer.name + (answer.dry_run ? " (dry run): " : ": ") +
         std::to_string(answer.status.code) + ' ' + answer.status.message);
    if (answer.status.success()) marks_.hit(Outage::kEvictionGranted);
    if (answer.status.code == 429) marks_.hit(Outage::kEvictionRefused);
    if (answer.status.code == 500) marks_.hit(Outage::kSeveralBudgets);
  }
  void drains(std::string_view node, std::string_view line) {
    note("drain of " + std::string(node) + ": " + std::string(line));
    if (line.find("will retry") != line.npos) marks_.hit(Outage::kDrainWaits);
  }

  void take(const runtime::Report& report) {
    using namespace runtime;
    ++reports_;
    note("  " + text_of(report, core_->cluster()));
    std::visit(Match{
                   [&](const Arrived& all) { wrong(lives_.arrived(all)); },
                   [&](const Disrupted& by) { disrupted(by); },
                   [&](const Evicted& one) {
                     marks_.hit(Outage::kPreempted);
                     lives_.preempted(one.pod);
                   },
                   [&](const Finished& with) {
                     lives_.finished(with);
                     marks_.hit(Outage::kJobSucceeds);
                   },
                   [&](const Bound&) { ++outcome_.bound; },
                   [&](const PermitWaiting&) { marks_.hit(Outage::kPermitWait); },
                   [&](const Deleted& one) { lives_.deleted(one.pod); },
                   [](const auto&) {},
               },
               report);
    if (const model::PodId pod = pod_of(report)) pod_changed(pod);
  }
  void pod_changed(model::PodId pod) {
    budgets_.pod_changed(workload_of(core_->cluster(), core_->cluster().pod(pod)));
  }
  void disrupted(const runtime::Disrupted& by) {
    const model::PodRecord& pod = core_->cluster().pod(by.pod);
    ++outcome_.evicted;
    if (const std::string fault = lives_.disrupted(by); !fault.empty())
      wrong(name(by.pod) + ": " + fault);
    if (by.reason == "DeletionByTaintManager") marks_.hit(Outage::kTaintEviction);
    if (by.reason == "TerminationByKubelet") marks_.hit(Outage::kKubeletEviction);
    if (by.reason == "DeletionByPodGC") marks_.hit(Outage::kPodCollected);
    if (by.reason != "EvictionByEvictionAPI") return;
    if (by.cause.starts_with("drain")) marks_.hit(Outage::kDrainEvicts);
    if (health_of(core_->cluster(), pod) == Health::kUnhealthy && !pod.terminating)
      marks_.hit(Outage::kUnhealthyEvicted);
    if (const std::string fault = budgets_.evicted(pod); !fault.empty())
      wrong("the eviction of " + name(by.pod) + ": " + fault);
  }

  // Everything that can be done now is done.
  void rest() {
    constexpr int kMostRounds = 1000;
    sink_.catch_up();
    allow_some();
    uint64_t before = 0;
    int rounds = 0;
    do {
      before = reports_;
      core_->advance_to(core_->now());  // actors may have something to do
      while (core_->has_active()) core_->step();
      core_->settle();
      if (++rounds > kMostRounds) return wrong("the core does not come to rest");
    } while (reports_ != before);
    check_replica_sets();
    budgets_.rests();
  }
  // Somebody lets pods go on that plugins hold.
  void allow_some() {
    if (!healed_ && !answers_.chance(30)) return;
    const queue::SchedulingQueue& queue = core_->scheduler().queue();
    core_->cluster().pods().for_each([&](const model::PodRecord& pod) {
      if (!pod.placed() && queue.place(pod.id) == queue::Place::kGated)
        core_->door().activate(pod.id);
    });
    for (const model::PodId pod : core_->scheduler().bindings().permits().pods())
      core_->door().allow(pod, "Chaos");
  }
  // A pod that goes is replaced at the same moment.
  void check_replica_sets() {
    for (const DrawnWorkload& one : world_.workloads) {
      const model::Workload& object = one.object;
      if (object.kind == model::WorkloadKind::kStatefulSet) continue;
      const bool is_job = object.kind == model::WorkloadKind::kJob;
      const auto wanted = static_cast<int64_t>(object.replicas);
      const PodCount count = count_pods(*core_, object.name);
      if (count.active > wanted || (!is_job && count.seen_active < wanted))
        wrong(object.name + " has " + std::to_string(count.active) + " pods in place of " +
              std::to_string(wanted));
    }
  }
  void pass_to(Time at) {
    while (core_->now() < at && outcome_.fault.empty()) {
      core_->advance_to(std::min(at, core_->next_due().value_or(at)));
      rest();
      note_held();
    }
  }
  // A pod that terminates for longer than any grace period is held by a silent node.
  void note_held() {
    constexpr uint64_t kLookEvery = 64;
    if (++looks_ % kLookEvery != 0) return;
    core_->cluster().pods().for_each([&](const model::PodRecord& pod) {
      if (pod.terminating && !core_->pods_leave()) marks_.hit(Outage::kPodHeld);
    });
  }

  void heal() {
    note("all outages end");
    healed_ = true;
    chaos_.heal();
    sink_.heal();
    script_.heal();
    rest();
    constexpr int kLongest = 30;
    pass_to(core_->now() + minutes(20));
    for (int i = 0; i < kLongest && !all_complete(); ++i) pass_to(core_->now() + minutes(10));
    for (const DrawnWorkload& one : world_.workloads)
      wrong(wrong_pods(*core_, one, lives_, script_.fewer(one.object.name)));
    wrong(overfull_node(core_->cluster(), world_));
    wrong(budgets_.wrong_status());
    wrong(core_->fault());
  }
  bool all_complete() {
    return std::ranges::all_of(
        world_.workloads, [this](const DrawnWorkload& one) { return is_complete(one, lives_); });
  }

  Dice draws_;    // of what happens
  Dice answers_;  // of what is answered
  Rates rates_;
  OutageWorld world_;
  Marks chaos_marks_;
  OutageMarks marks_;
  ChaosAnswers chaos_;
  UnsureSink sink_;
  Machines machines_;
  BudgetCheck budgets_;
  OutageScript script_;
  PodLives lives_;
  OutageOutcome outcome_;
  played::ApiServer api_;
  std::unique_ptr<runtime::Core> core_;
  Witness witness_;
  uint64_t reports_ = 0, looks_ = 0;
  bool healed_ = false;
};

}  // namespace

OutageOutcome play_outages(uint64_t seed) {
  const auto play = [seed](const Way& way) { return Outages(seed, way).run(); };
  return play_in_all_ways(play, seed, {.audits = runtime::AuditPace::kDense});
}

}  // namespace berth::simulation
