#include "tests/simulation/simulation.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "tests/simulation/checks/groups.h"
#include "tests/simulation/checks/inspection.h"
#include "tests/simulation/configuration.h"
#include "tests/simulation/plugins.h"
#include "tests/simulation/report_text.h"
#include "tests/simulation/world/chaos_answers.h"
#include "tests/simulation/world/extenders.h"
#include "tests/simulation/world/script.h"

namespace berth::simulation {
namespace {

using std::chrono::seconds;

class Simulation {
 public:
  Simulation(uint64_t seed, const Way& way)
      : draws_(mix(seed)),
        answers_(mix(seed + (uint64_t{1} << 63))),
        late_(mix(seed ^ 0xa5a5'a5a5'a5a5'a5a5)),
        rates_(draw_rates(draws_, way.history)),
        chaos_(seed, answers_, rates_, marks_),
        server_(answers_, late_, rates_, marks_),
        storage_(seed, way.history),
        extenders_(answers_, rates_, server_, marks_),
        script_(draws_, rates_, server_, storage_, marks_,
                [this](std::string words) { note(std::move(words)); }),
        inspection_(rates_, server_),
        api_({.bindings = &server_, .volumes = storage_.controller()}) {
    rates_.late_answers = draw_late_answers(late_);
    core_ = std::make_unique<runtime::Core>(
        configuration(rates_, chaos_.faults(), storage_.rules()), plugins(), options(seed, way),
        [this](const auto& r) { take(r); });
    chaos_.attach(*core_);
    api_.attach(*core_);
    server_.attach(*core_, api_);
    storage_.attach(*core_, api_);
    extenders_.attach(core_->cluster());
    script_.attach(*core_, api_);
    inspection_.attach(*core_);
  }

  Outcome run() {
    script_.begin();
    for (int step = 0; step < rates_.steps; ++step) {
      script_.act();
      server_.deliver_some();
      server_.pass(core_->now());
      compare_with_ledger();
    }
    heal();
    outcome_.decisions = core_->scheduler().decisions().count();
    outcome_.left = inspection_.waiting();
    outcome_.marks = marks_.counts();
    outcome_.rows_off_main = core_->scheduler().decisions().rows_off_main();
    outcome_.verified = core_->scheduler().decisions().verifications().verified;
    note("decision hash " + core_->scheduler().decisions().hash().to_string());
    return std::move(outcome_);
  }

 private:
  runtime::CoreOptions options(uint64_t seed, const Way& way) {
    runtime::CoreOptions options;
    options.scheduler = scheduler_options(seed, way);
    options.change_log = way.change_log;
    // Fewer than the binding thread takes before the core waits for it: it draws, too.
    static_assert(binding::Binder::kHandOver > 31);
    options.scheduler.bind_batch = static_cast<size_t>(draws_.one_of<int64_t>({1, 3, 31}));
    options.server = &api_;
    options.audits = way.audits;
    options.retire_always = draws_.chance(30);
    if (rates_.extenders) options.extenders = &extenders_;
    return options;
  }

  void note(std::string words) {
    outcome_.events.push_back(std::to_string(core_->now().count() / 1'000'000) + "ms " +
                              std::move(words));
  }
  void take(const runtime::Report& report) {
    using namespace runtime;
    const model::Cluster& cluster = core_->cluster();
    note("  " + text_of(report, cluster));
    const auto name = [&](model::PodId pod) {
      return std::string(cluster.text(cluster.pod(pod).name));
    };
    std::visit(
        Match{
            [&](const Scheduled& one) { inspection_.decided(name(one.pod)); },
            [&](const Refused& one) { inspection_.decided(name(one.pod)); },
            [&](const Failed& one) { inspection_.decided(name(one.pod)); },
            [&](const Bound& one) { bound(name(one.pod), one.extender); },
            [&](const BindingFailed& one) {
              ++outcome_.failed;
              if (one.message.find("provisioning failed") != one.message.npos)
                marks_.hit(Mark::kProvisioningFails);
            },
            [&](const BindingWaits& one) {
              if (one.plugin == "VolumeBinding") marks_.hit(Mark::kVolumeWait);
            },
            [&](const Nominated& to) { server_.nominated(name(to.pod), std::string(to.node)); },
            [&](const Evicted& one) { evicted(one.pod, name(one.pod)); },
            [](const auto&) {},
        },
        report);
  }
  void bound(const std::string& name, std::string_view extender) {
    ++outcome_.bound;
    server_.bound(name);
    if (!extender.empty()) marks_.hit(Mark::kExtenderBinds);
    const auto at = server_.pods().find(name);
    if (at == server_.pods().end() || group_of(at->second.object).empty()) return;
    marks_.hit(Mark::kGroupBound);
    ++bound_together_[{core_->now(), at->second.object.namespace_name,
                       group_of(at->second.object)}];
  }
  void evicted(model::PodId pod, const std::string& name) {
    ++outcome_.evicted;
    const model::Cluster& cluster = core_->cluster();
    if (server_.has_budgets(std::string(cluster.text(cluster.pod(pod).namespace_name))))
      marks_.hit(Mark::kEvictedWithBudget);
    const auto& spec = cluster.templates()[cluster.pod(pod).pod_template].spec;
    const seconds grace(spec.termination_grace_seconds.value_or(30));
    // An API server deletes a pod that has no node at once.
    const auto at = server_.pods().find(name);
    if (at != server_.pods().end() && !at->second.object.bound())
      return server_.remove_pod(name, false);
    server_.terminates(name, core_->now() + grace, true);
  }

  // Phase two.
  void heal() {
    note("all faults end");
    chaos_.heal();
    server_.heal();
    extenders_.heal();
    collect_garbage();
    server_.deliver_all();
    update_gated();
    pass(seconds(100));
    for (int i = 0; i < 4 && server_.pods_leave(); ++i) pass(seconds(40));
    compare_with_server();
    bound_together_.clear();  // some were completed while there were faults
    const std::map<std::string, Refusal> waiting = still(inspection_.placeable());
    pass(seconds(400));
    compare_with_server();
    for (const auto& [name, refusal] : waiting)
      if (server_.pods().contains(name) && server_.pods().at(name).object.bound()) {
        outcome_.flushed.push_back(refusal.words);
        if (!refusal.has_no_event) wrong("no event helped " + refusal.words);
      }
    // A pod that no event helps may need one flush for its preemption and another for its place.
    constexpr int kFlushes = 6;
    for (int flush = 0; flush < kFlushes && somebody_waits(); ++flush) pass(seconds(400));
    compare_with_server();
    for (const auto& [name, refusal] : inspection_.placeable())
      wrong(name + " waits: " + refusal.words);
    for (const std::string& group : inspection_.waiting_groups()) wrong(group);
    for (const auto& [group, pods] : bound_together_)
      if (pods < rates_.group_members)
        wrong("of group " + std::get<2>(group) + ' ' + std::to_string(pods) + " are bound alone");
  }
  bool somebody_waits() const {
    return !inspection_.placeable().empty() || !inspection_.waiting_groups().empty();
  }
  // Those for which an event should have come. Where groups are, pods may be on their way at any
  // time. While a pod terminates, some may have a place for which the event comes when it is gone.
  std::map<std::string, Refusal> still(std::map<std::string, Refusal> waiting) const {
    if (server_.pods_leave()) return {};
    const queue::SchedulingQueue& queue = core_->scheduler().queue();
    std::erase_if(waiting, [&](const auto& one) {
      const queue::Place place = queue.place(server_.known(one.first));
      return place != queue::Place::kUnschedulable && place != queue::Place::kGated;
    });
    return waiting;
  }
  // Pods on nodes that are gone go, too.
  void collect_garbage() {
    std::vector<std::string> orphans;
    for (const auto& [name, pod] : server_.pods())
      if (pod.object.bound() && !server_.nodes().contains(pod.object.spec.node_name))
        orphans.push_back(name);
    for (const std::string& name : orphans) server_.remove_pod(name, false);
  }
  // A gated pod waits for an event, and not for the flush: kube-scheduler leaves out gated pods in
  // movePodsToActiveOrBackoffQueue (scheduling_queue.go) unless their plugin wants the event.
  void update_gated() {
    for (const auto& [name, pod] : server_.pods()) {
      const model::PodId id = server_.known(name);
      if (id && core_->scheduler().queue().place(id) == queue::Place::kGated)
        server_.put_pod(model::Pod(pod.object));
    }
  }
  // Everything that can be done now is done.
  void come_to_rest() {
    constexpr int kMostDecisions = 20'000;
    int decisions = 0;
    do {
      for (const model::PodId pod : core_->scheduler().bindings().permits().pods())
        core_->door().allow(pod, "Chaos");
      while (core_->step())
        if (++decisions > kMostDecisions) return wrong("the core does not come to rest");
      core_->settle();
    } while (server_.deliver_all() || core_->has_work());
  }
  // Time passes.
  void pass(seconds time) {
    const Time end = core_->now() + time;
    come_to_rest();
    while (core_->now() < end && outcome_.fault.empty()) {
      core_->advance_to(std::min(end, core_->next_due().value_or(end)));
      server_.pass(core_->now());
      come_to_rest();
      compare_with_ledger();
    }
  }
  void compare_with_server() {
    if (const std::string difference = inspection_.difference(); !difference.empty())
      wrong(difference);
  }
  // What the plugin knows of pods that it reserved or observes.
  void compare_with_ledger() {
    if (const std::string difference = chaos_.ledger().difference(*core_); !difference.empty())
      wrong(difference);
  }
  void wrong(const std::string& words) {
    if (outcome_.fault.empty()) outcome_.fault = words;
  }

  Dice draws_;    // of what happens
  Dice answers_;  // of what is answered
  Dice late_;     // of answers to bindings that are late
  Rates rates_;
  Marks marks_;
  ChaosAnswers chaos_;
  Server server_;
  Storage storage_;
  FaultyExtenders extenders_;
  Script script_;
  Inspection inspection_;
  played::ApiServer api_;
  std::unique_ptr<runtime::Core> core_;
  // Pods of a group that were bound at once, by time, namespace and group.
  std::map<std::tuple<Time, std::string, std::string>, int> bound_together_;
  Outcome outcome_;
};

}  // namespace

Outcome play(uint64_t seed, const Way& way) { return Simulation(seed, way).run(); }

Outcome play_all(uint64_t seed) {
  return play_in_all_ways([seed](const Way& way) { return play(seed, way); }, seed);
}

Way draw_history(uint64_t seed) {
  Dice dice(mix(seed ^ 0x9e3779b97f4a7c15u));
  Way way;
  way.history = true;
  way.audits = runtime::AuditPace::kSparse;
  way.threads = static_cast<int>(dice.one_of<int64_t>({1, 2, 8}));
  way.full.ranking_from = static_cast<uint32_t>(dice.one_of<int64_t>({1, 1, 2}));
  if (dice.chance(30))
    way.full.ranking_bytes = static_cast<size_t>(dice.one_of<int64_t>({0, 1 << 12, 1 << 16}));
  if (dice.chance(40)) way.change_log = static_cast<size_t>(dice.one_of<int64_t>({8, 64, 512}));
  way.verify_every = dice.one_of<uint64_t>({0, 0, 1, 5});
  if (dice.chance(60)) way.percentage = static_cast<int32_t>(dice.one_of<int64_t>({0, 1, 50, 100}));
  return way;
}

Outcome play_history(uint64_t seed) {
  const Way way = draw_history(seed);
  Outcome mine = play(seed, way);
  Way reference = way;
  reference.threads = 1;
  reference.verify_every = 0;
  reference.evaluation = framework::Evaluation::kReference;
  const Outcome other = play(seed, reference);
  const std::string differs = first_difference(mine.events, other.events);
  mine.fault = differs.empty() ? std::string() : "incremental and by reference, " + differs;
  return mine;
}

}  // namespace berth::simulation
