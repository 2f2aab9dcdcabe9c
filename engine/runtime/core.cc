#include "engine/runtime/core.h"

#include <algorithm>
#include <utility>

#include "engine/framework/decision/decision_watch.h"
#include "engine/host/faults/fault_reports.h"
#include "engine/host/faults/life_cycle_call.h"
#include "engine/runtime/kept_objects.h"
#include "engine/runtime/second_opinion.h"

namespace berth::runtime {
namespace {

binding::BindingSink* sink_of(Server* server) {
  return server == nullptr ? nullptr : server->bindings();
}

bool share_columns(const Plugins& plugins, const OtherSettings* other) {
  return plugins.may_share_columns() || (other != nullptr && other->plugins->may_share_columns());
}

}  // namespace

Core::Core(config::Configuration configuration, Plugins& plugins, CoreOptions options,
           OnReport report)
    : configuration_(std::move(configuration)),
      report_(std::move(report)),
      cluster_(options.guard_columns                   ? Arena::Backing::kGuarded
               : share_columns(plugins, options.other) ? Arena::Backing::kMemfd
                                                       : Arena::Backing::kAnonymous),
      watch_(options.scheduler.decide.watch),
      binder_(cluster_, sink_of(options.server), options.observer) {
  cluster_.set_image_rule(options.image_rule);
  cluster_.set_rules(configuration_.rules);
  if (options.change_log != 0) cluster_.set_log_capacity(options.change_log);
  host::LifeCycleCall::set_limit(options.deadlines.limit);
  host::note_columns(cluster_.guarded_columns());
  watchdog_ = std::make_unique<host::Watchdog>(
      services_.hooks, std::vector<host::CallContext*>{&services_.calls}, options.deadlines);
  services_.moment.seed = options.scheduler.decide.seed;
  tell_time();
  options.scheduler.decide.moment = &services_.moment;
  binder_.set_moment(&services_.moment);
  const framework::Workers* workers = options.scheduler.full.workers;
  host::Environment environment{
      .model = services_.model,
      .bindings = &binder_,
      .log = host::standard_log(),
      .hooks = services_.hooks,
      .trials = &services_.trials,
      .waiting = &services_.permits,
      .cycle = &services_.calls,
      .threads = workers == nullptr ? 1 : static_cast<uint32_t>(workers->threads()),
      .moment = &services_.moment,
      .metrics = &services_.metrics,
      .external = &services_.external,
      .rules = configuration_.rules};
  assembly_ = assemble(configuration_, plugins, environment, services_.calls, cluster_);
  if (options.other != nullptr)
    opinion_ = std::make_unique<SecondOpinion>(std::move(*options.other), cluster_, environment);
  configure(options.scheduler.decide, configuration_);
  options.scheduler.rules = configuration_.rules;
  options.scheduler.batches = configuration_.rules.has(Rule::kBatches);
  options.scheduler.trials = &services_.trials;
  options.scheduler.waiting = &services_.permits;
  options.scheduler.observer = options.observer;
  options.scheduler.queue.initial_backoff =
      std::chrono::seconds(configuration_.initial_backoff_seconds);
  options.scheduler.queue.max_backoff = std::chrono::seconds(configuration_.max_backoff_seconds);
  options.scheduler.queue.pop_from_backoff = configuration_.rules.has(Rule::kPopFromBackoff);
  options.scheduler.queue.activation_asks = !configuration_.rules.has(Rule::kBackoffEndUnasked);
  objects_ = std::make_unique<KeptObjects>(configuration_, assembly_, opinion_.get(), cluster_);
  if (opinion_) opinion_->begin(*objects_, services_.moment, options.deadlines);
  framework::Extenders* extenders =
      options.extenders != nullptr ? options.extenders : objects_->extenders();
  options.scheduler.decide.extenders = extenders;
  decide_where_to_bind(extenders, options.binding_thread);
  scheduler_ =
      std::make_unique<Scheduler>(cluster_, assembly_.profiles, binder_, services_.calls, clock_,
                                  options.server, report_, std::move(options.scheduler));
  scheduler_->events().tell_too(actors_);
  audits_.emplace(options.audits, cluster_, *scheduler_);
  door_.emplace(Door::Means{.cluster = cluster_,
                            .diagnostics = diagnostics_,
                            .scheduler = *scheduler_,
                            .actors = actors_,
                            .objects = *objects_,
                            .audits = *audits_,
                            .report = report_},
                Retirement(cluster_, binder_, assembly_.profiles, scheduler_->decisions(),
                           opinion_.get(), options.retire_always));
  cluster_.pin_columns();
  std::vector<host::CallContext*> all = scheduler_->decisions().watched_calls();
  if (all.empty()) return;
  all.push_back(&services_.calls);
  watchdog_ = std::make_unique<host::Watchdog>(services_.hooks, std::move(all), options.deadlines);
}

// The binding thread calls plugins and the sink, and the watchdog looks after it: it ends first.
Core::~Core() { binder_.stop(); }

// An extender's client belongs to the thread of the decisions, which asks it in between. So pods
// are bound there if an extender may bind them.
void Core::decide_where_to_bind(framework::Extenders* extenders, bool binding_thread) {
  binder_.set_extenders(extenders);
  if (!binding_thread || (extenders != nullptr && extenders->binds())) return;
  const auto is_quick = [](const auto& profile) { return binding::Binder::is_quick(*profile); };
  if (!std::all_of(assembly_.profiles.begin(), assembly_.profiles.end(), is_quick))
    binder_.use_thread();
}

std::optional<Time> Core::next_due() const {
  const queue::SchedulingQueue& queue = scheduler_->queue();
  const auto size = [&](queue::Place place) { return queue.size(place); };
  std::optional<Time> next;
  const auto consider = [&](std::optional<Time> time) {
    if (time && (!next || *time < *next)) next = time;
  };
  consider(actors_.next());
  consider(scheduler_->bindings().permits().next_timeout());
  consider(scheduler_->bindings().pre_bind_waits().next());
  const auto consider_next = [&](Time period) { consider((now() / period + 1) * period); };
  if (size(queue::Place::kBackoff) + size(queue::Place::kErrorBackoff) != 0)
    consider_next(queue.kFlushBackoffEvery);
  if (size(queue::Place::kUnschedulable) + size(queue::Place::kGated) != 0)
    consider_next(queue.kFlushUnschedulableEvery);
  return next;
}

bool Core::has_work() {
  take_external();
  return scheduler_->queue().can_pop();
}

bool Core::has_active() const { return scheduler_->queue().size(queue::Place::kActive) != 0; }

bool Core::unfinished() const {
  const queue::SchedulingQueue& queue = scheduler_->queue();
  if (actors_.unfinished()) return true;
  return scheduler_->bindings().permits().size() + scheduler_->bindings().pre_bind_waits().size() +
             queue.size(queue::Place::kBackoff) + queue.size(queue::Place::kErrorBackoff) !=
         0;
}

void Core::advance_to(Time to) {
  const Audits::Call call(*audits_);
  for (std::optional<Time> due = next_due(); due && *due <= to; due = next_due()) {
    clock_.set(std::max(*due, now()));
    tell_time();
    run_due();
    audits_->audit();
  }
  clock_.set(to);
  tell_time();
}

// Carries out what falls due now: of the actors, of Permit and PreBind, then the queue's clocks.
void Core::run_due() {
  actors_.run_due();
  catch_up();
  scheduler_->bindings().expire_permits();
  scheduler_->bindings().continue_pre_binds();
  queue::SchedulingQueue& queue = scheduler_->queue();
  if (now() % queue.kFlushBackoffEvery == Time{}) queue.flush_backoff(now());
  if (now() % queue.kFlushUnschedulableEvery == Time{}) queue.flush_unschedulable(now());
}

void Core::take_external() {
  bool raised = false;
  const auto raise = [&](model::ColumnId epoch) {
    cluster_.raise_epoch(epoch);
    raised = true;
  };
  const auto wake = [&](const std::string& scheduler, const std::string& plugin) {
    scheduler_->wake(scheduler, plugin);
  };
  const auto nobody = [](const std::string&, const std::string&) {};
  const Audits::Call call(*audits_);
  if (services_.external.waits()) services_.external.take(raise, wake);
  if (opinion_ && opinion_->external().waits()) opinion_->external().take(raise, nobody);
  if (raised) scheduler_->decisions().forget_batches();
}

std::optional<model::PodId> Core::pop() {
  const Audits::Call call(*audits_);
  take_external();
  catch_up();
  return scheduler_->pop();
}

bool Core::step() {
  const std::optional<model::PodId> pod = pop();
  if (!pod) return false;
  attempt(*pod);
  return true;
}

void Core::attempt(model::PodId pod) {
  const Audits::Call call(*audits_);
  if (watch_ == nullptr) {
    snapshot();
  } else {
    watch_->begins(cluster_.pod(pod));
    snapshot();
    watch_->ordered();
  }
  if (!unsettled_since_) unsettled_since_ = now();
  scheduler_->attempt(pod);
  if (now() - *unsettled_since_ >= kLongestUnbound) settle_all();
  audits_->audit();
}

void Core::run_until_idle() {
  do {
    while (step()) {
    }
    settle();  // bound pods may help others
  } while (has_work());
}

void Core::publish() { scheduler_->bindings().publish(); }

void Core::settle() {
  const Audits::Call call(*audits_);
  settle_all();
  catch_up();
  audits_->audit();
}

void Core::settle_all() {
  scheduler_->bindings().settle();
  unsettled_since_.reset();
}

std::string Core::fault() const { return first_fault(cluster_, *scheduler_); }

}  // namespace berth::runtime
