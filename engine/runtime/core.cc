#include "engine/runtime/core.h"

#include <algorithm>
#include <utility>

#include "engine/base/bug.h"
#include "engine/framework/decision/decision_watch.h"
#include "engine/host/faults/fault_reports.h"
#include "engine/host/faults/life_cycle_call.h"
#include "engine/runtime/kept_objects.h"

namespace berth::runtime {
namespace {

binding::BindingSink* sink_of(Server* server) {
  return server == nullptr ? nullptr : server->bindings();
}

}  // namespace

Core::Core(config::Configuration configuration, Plugins& plugins, CoreOptions options,
           OnReport report)
    : configuration_(std::move(configuration)),
      report_(std::move(report)),
      cluster_(options.guard_columns         ? Arena::Backing::kGuarded
               : plugins.may_share_columns() ? Arena::Backing::kMemfd
                                             : Arena::Backing::kAnonymous),
      watch_(options.scheduler.decide.watch),
      binder_(cluster_, sink_of(options.server), options.observer),
      intake_(cluster_, diagnostics_, this),
      auditor_(options.audits) {
  cluster_.set_image_rule(options.image_rule);
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
      .metrics = &services_.metrics};
  assembly_ = assemble(configuration_, plugins, environment, services_.calls, cluster_);
  options.scheduler.decide.percentage_of_nodes_to_score =
      configuration_.percentage_of_nodes_to_score;
  options.scheduler.trials = &services_.trials;
  options.scheduler.waiting = &services_.permits;
  options.scheduler.observer = options.observer;
  options.scheduler.queue.initial_backoff =
      std::chrono::seconds(configuration_.initial_backoff_seconds);
  options.scheduler.queue.max_backoff = std::chrono::seconds(configuration_.max_backoff_seconds);
  options.scheduler.queue.pop_from_backoff = configuration_.gates.pop_from_backoff;
  objects_ = std::make_unique<KeptObjects>(configuration_, assembly_, cluster_);
  framework::Extenders* extenders =
      options.extenders != nullptr ? options.extenders : objects_->extenders();
  options.scheduler.decide.extenders = extenders;
  decide_where_to_bind(extenders, options.binding_thread);
  retire_always_ = options.retire_always;
  // Ids that a plugin asked for in `init` are valid for its life.
  shapes_stay_ = cluster_.counts().count() != 0 || cluster_.terms().count() != 0;
  scheduler_ =
      std::make_unique<Scheduler>(cluster_, assembly_.profiles, binder_, services_.calls, clock_,
                                  options.server, report_, std::move(options.scheduler));
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

void Core::node_added(model::Slot slot) { scheduler_->events().node_added(slot); }

void Core::node_updated(model::Slot slot, model::Changes changes,
                        const model::NodeTable::Values& before) {
  scheduler_->events().node_updated(slot, changes, before);
}

void Core::node_leaves(model::Slot slot) {
  scheduler_->bindings().release_node(slot);
  scheduler_->events().node_leaves(slot);
}

void Core::pod_leaves(model::PodId pod, const model::PodRecord* placed) {
  scheduler_->release(pod, placed);
}

void Core::pod_ends(model::PodId pod) {
  actors_.pod_ends(pod);
  report_(Deleted{pod});
}

void Core::pod_assigned(model::PodId pod, const model::PodRecord* before) {
  if (before != nullptr && before->requested && scheduler_->policy().profile_of(*before))
    report_(BoundByAnother{pod, cluster_.nodes().name(cluster_.pod(pod).slot)});
  scheduler_->events().assigned_added(pod);
  if (before != nullptr) scheduler_->events().nomination_ends(*before);
}

void Core::assigned_updated(model::PodId pod, const model::PodRecord& before) {
  scheduler_->events().assigned_updated(pod, before);
}

void Core::pending_updated(model::PodId pod, const model::PodRecord& before) {
  scheduler_->pending_updated(pod, before);
}

void Core::assumed_updated(model::PodId pod, const model::PodRecord& object) {
  scheduler_->updates().keep(pod, object);
}

void Core::assigned_left(const model::PodRecord& before) {
  scheduler_->events().assigned_left(before);
}

void Core::storage_changed(const model::VolumeChange& change) {
  actors_.storage_changed(change);
  scheduler_->events().storage_changed(change);
}

void Core::pending_left(const model::PodRecord& before) {
  scheduler_->events().nomination_ends(before);
}

// Forgetting states costs an evaluation of all nodes for each template that is in use, hence the
// thresholds: of shapes, of nodes, and of memory, which a few shapes take in a large cluster. At
// most about half of that memory is unused.
bool Core::shapes_are_due() {
  constexpr size_t kFewestShapes = 1 << 14;
  constexpr size_t kFewestNodes = 1 << 10;
  constexpr size_t kFewestCells = 1 << 22;  // a cell takes 8 to 24 bytes
  if (shapes_stay_) return false;
  const size_t cells = cluster_.unused_cells();
  const size_t shapes = cluster_.unused(model::Cluster::Retired::kAll);
  return retire_always_ || cells > std::max(kFewestCells, cluster_.cells() / 2) ||
         shapes > std::max(kFewestShapes, 2 * cluster_.pods().size()) ||
         cluster_.removed_nodes() > std::max<size_t>(kFewestNodes, cluster_.nodes().rows());
}

// Called where nothing but rows of the pod table refers to what pods brought.
void Core::collect() {
  if (calls_deep_ != 1) return;
  using Retired = model::Cluster::Retired;
  constexpr size_t kFewestNames = 1 << 16;
  if (shapes_are_due()) {
    binder_.wait();  // a batch holds ids, and the thread reads texts
    for (const auto& profile : assembly_.profiles)
      profile->for_each_hook([](framework::BoundHook& hook) { hook.forget_states(); });
    scheduler_->decisions().forget_states();
    cluster_.collect(Retired::kAll);
  } else if (cluster_.unused(Retired::kNames) > std::max(kFewestNames, cluster_.pods().size())) {
    binder_.wait();
    for (const auto& profile : assembly_.profiles)
      profile->for_each_hook([](framework::BoundHook& hook) { hook.forget_states_of_pods(); });
    cluster_.collect(Retired::kNames);
  }
}

void Core::apply(const ingest::Objects& cluster, std::string_view source) {
  intake_.add_cluster(cluster, source);
}

void Core::apply(std::span<const model::Change> cluster, const Origin& from) {
  intake_.add_cluster(cluster, from);
}

void Core::apply(const std::vector<model::TemplateDefinition>& templates) {
  intake_.define(templates);
}

void Core::retire_templates(const std::vector<uint32_t>& ids) { intake_.retire(ids); }

void Core::apply(const model::Change& change, const Origin& from, size_t index) {
  const Call call(*this);
  collect();
  waiting_.clear();
  intake_.apply(change, from, waiting_, index);
  if (!waiting_.empty()) scheduler_->enqueue(waiting_);
  scheduler_->bindings().continue_released();
  audit();
}

void Core::apply_work(std::span<const WorkFile> files) {
  const Call call(*this);
  collect();
  waiting_.clear();
  intake_.add_work(files, waiting_);
  arrive(waiting_);
}

void Core::apply_work(const model::PodBatch& pods, const Origin& from) {
  const Call call(*this);
  collect();
  waiting_.clear();
  intake_.add_work(pods, from, waiting_);
  arrive(waiting_);
}

std::vector<model::PodId> Core::add(const model::PodBatch& pods, const Origin& from) {
  const Call call(*this);
  collect();
  std::vector<model::PodId> waiting;
  intake_.add_work(pods, from, waiting);
  return waiting;
}

model::PodId Core::add(const model::Pod& pod) { return cluster_.add_pod(pod); }

model::PodId Core::add(const model::PodRecord& pod) { return cluster_.add_pod(pod); }

void Core::arrive(std::span<const model::PodId> pods) {
  const Call call(*this);
  scheduler_->enqueue(pods);
  audit();
}

void Core::update(model::PodId pod, const model::PodRecord& after) {
  const Call call(*this);
  const model::PodRecord before = cluster_.pod(pod);
  if (AssumedUpdates::applies_to(before)) {
    assumed_updated(pod, after);
  } else {
    cluster_.update_pod(pod, after);
    before.state == model::PodState::kBound ? assigned_updated(pod, before)
                                            : pending_updated(pod, before);
  }
  audit();
}

void Core::remove(model::PodId pod) {
  const Call call(*this);
  intake_.remove(pod);
  audit();
}

void Core::nominated_by_another(model::PodId pod, std::string_view node) {
  model::PodRecord after = latest(pod);
  const model::StringId named = node.empty() ? 0 : cluster_.strings().intern_counted(node);
  if (after.nominated_node == named) return;
  after.nominated_node = named;
  update(pod, after);
}

size_t Core::answer(std::span<const BindingAnswer> answers) {
  const Call call(*this);
  const size_t unknown = scheduler_->bindings().answer(answers);
  audit();
  return unknown;
}

bool Core::allow(model::PodId pod, const std::string& plugin) {
  const Call call(*this);
  const bool counts = scheduler_->bindings().permits().allow(pod, plugin);
  scheduler_->bindings().continue_released();
  audit();
  return counts;
}

bool Core::reject(model::PodId pod, const std::string& plugin, std::string message) {
  const Call call(*this);
  const bool counts = scheduler_->bindings().permits().reject(pod, plugin, std::move(message));
  scheduler_->bindings().continue_released();
  audit();
  return counts;
}

std::optional<Time> Core::next_due() const {
  constexpr Time kSecond = std::chrono::seconds(1), kHalfMinute = std::chrono::seconds(30);
  const queue::SchedulingQueue& queue = scheduler_->queue();
  const auto size = [&](queue::Place place) { return queue.size(place); };
  std::optional<Time> next;
  const auto consider = [&](std::optional<Time> time) {
    if (time && (!next || *time < *next)) next = time;
  };
  consider(actors_.next());
  consider(scheduler_->bindings().permits().next_timeout());
  consider(scheduler_->bindings().pre_bind_waits().next());
  if (size(queue::Place::kBackoff) + size(queue::Place::kErrorBackoff) != 0)
    consider((now() / kSecond + 1) * kSecond);
  if (size(queue::Place::kUnschedulable) + size(queue::Place::kGated) != 0)
    consider((now() / kHalfMinute + 1) * kHalfMinute);
  return next;
}

bool Core::has_work() const { return scheduler_->queue().can_pop(); }

bool Core::has_active() const { return scheduler_->queue().size(queue::Place::kActive) != 0; }

bool Core::unfinished() const {
  const queue::SchedulingQueue& queue = scheduler_->queue();
  if (actors_.next()) return true;
  return scheduler_->bindings().permits().size() + scheduler_->bindings().pre_bind_waits().size() +
             queue.size(queue::Place::kBackoff) + queue.size(queue::Place::kErrorBackoff) !=
         0;
}

bool Core::reads_whole() const { return objects_->are_read(); }

void Core::keep(std::span<const ingest::WholeObject> objects) { objects_->keep(objects); }

void Core::advance_to(Time to) {
  const Call call(*this);
  for (std::optional<Time> due = next_due(); due && *due <= to; due = next_due()) {
    clock_.set(std::max(*due, now()));
    tell_time();
    run_due();
    audit();
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
  if (now() % std::chrono::seconds(1) != Time{}) return;
  scheduler_->queue().flush_backoff(now());
  if (now() % std::chrono::seconds(30) == Time{}) scheduler_->queue().flush_unschedulable(now());
}

std::optional<model::PodId> Core::pop() {
  const Call call(*this);
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
  const Call call(*this);
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
  audit();
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
  const Call call(*this);
  settle_all();
  catch_up();
  audit();
}

void Core::settle_all() {
  scheduler_->bindings().settle();
  unsettled_since_.reset();
}

std::string Core::fault() const { return first_fault(cluster_, *scheduler_); }

void Core::audit_now() {
  if (!auditor_.pays(cluster_.fault_cost())) return;
  if (const std::string wrong = fault(); !wrong.empty()) bug(wrong);
}

}  // namespace berth::runtime
