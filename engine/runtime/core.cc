#include "engine/runtime/core.h"

#include <algorithm>

#include "engine/base/bug.h"
#include "engine/extenders/http_extenders.h"
#include "engine/extenders/whole_objects.h"
#include "engine/framework/decision/decision_watch.h"
#include "engine/host/faults/fault_reports.h"
#include "engine/host/faults/life_cycle_call.h"
#include "engine/ingest/workloads/ephemeral_claims.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::runtime {
Core::Core(config::Configuration configuration, Plugins& plugins, CoreOptions options,
           OnReport report)
    : configuration_(std::move(configuration)),
      report_(std::move(report)),
      cluster_(options.guard_columns         ? Arena::Backing::kGuarded
               : plugins.may_share_columns() ? Arena::Backing::kMemfd
                                             : Arena::Backing::kAnonymous),
      sink_(options.sink),
      watch_(options.scheduler.decide.watch),
      binder_(cluster_, options.sink, options.observer),
      intake_(cluster_, diagnostics_, this),
      auditor_(options.audits) {
  cluster_.set_image_rule(options.image_rule);
  if (options.change_log != 0) cluster_.set_log_capacity(options.change_log);
  host::LifeCycleCall::set_limit(options.deadlines.limit);
  host::note_columns(cluster_.guarded_columns());
  watchdog_ = std::make_unique<host::Watchdog>(hooks_, std::vector<host::CallContext*>{&calls_},
                                               options.deadlines);
  moment_.seed = options.scheduler.decide.seed;
  tell_time();
  options.scheduler.decide.moment = &moment_;
  binder_.set_moment(&moment_);
  const framework::Workers* workers = options.scheduler.full.workers;
  host::Environment environment{
      .model = model_services_,
      .bindings = &binder_,
      .log = host::standard_log(),
      .hooks = hooks_,
      .trials = &trials_,
      .waiting = &permits_,
      .cycle = &calls_,
      .threads = workers == nullptr ? 1 : static_cast<uint32_t>(workers->threads()),
      .moment = &moment_,
      .metrics = &metrics_};
  assembly_ = assemble(configuration_, plugins, environment, calls_, cluster_);
  options.scheduler.decide.percentage_of_nodes_to_score =
      configuration_.percentage_of_nodes_to_score;
  options.scheduler.trials = &trials_;
  options.scheduler.waiting = &permits_;
  options.scheduler.observer = options.observer;
  options.scheduler.queue.initial_backoff =
      std::chrono::seconds(configuration_.initial_backoff_seconds);
  options.scheduler.queue.max_backoff = std::chrono::seconds(configuration_.max_backoff_seconds);
  options.scheduler.queue.pop_from_backoff = configuration_.gates.pop_from_backoff;
  whole_ = std::make_unique<extenders::WholeObjects>(
      cluster_, extenders::WholeObjects::Read{.objects = !configuration_.extenders.empty(),
                                              .annotations = reads("pod.annotation:")});
  cluster_.set_annotations(whole_.get());
  extenders_ = extenders::make_extenders(configuration_, cluster_, *whole_,
                                         [this](const std::string& text) { ignore(text); });
  framework::Extenders* extenders =
      options.extenders != nullptr ? options.extenders : extenders_.get();
  options.scheduler.decide.extenders = extenders;
  decide_where_to_bind(extenders, options.binding_thread);
  retire_always_ = options.retire_always;
  if (options.volumes) {
    volumes_.emplace(cluster_, *options.volumes);
    protection_.emplace(cluster_);
  }
  // Ids that a plugin asked for in `init` are valid for its life.
  shapes_stay_ = cluster_.counts().count() != 0 || cluster_.terms().count() != 0;
  scheduler_ =
      std::make_unique<Scheduler>(cluster_, assembly_.profiles, binder_, calls_, clock_,
                                  static_cast<ServerWrites&>(*this), std::move(options.scheduler));
  cluster_.pin_columns();
  std::vector<host::CallContext*> all = scheduler_->watched_calls();
  if (all.empty()) return;
  all.push_back(&calls_);
  watchdog_ = std::make_unique<host::Watchdog>(hooks_, std::move(all), options.deadlines);
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
  scheduler_->release_node(slot, report_);
  scheduler_->events().node_leaves(slot);
}

void Core::pod_leaves(model::PodId pod, const model::PodRecord* placed) {
  scheduler_->release(pod, placed, report_);
  deletions_.forget(pod);
}

void Core::pod_ends(model::PodId pod) {
  remove_ephemeral_claims(pod);
  report_(Deleted{pod});
}

void Core::remove_ephemeral_claims(model::PodId id) {
  const model::PodRecord& pod = cluster_.pod(id);
  const model::PodTemplate& made_of = cluster_.templates()[pod.pod_template];
  std::vector<model::PersistentVolumeClaim> gone;
  for (size_t i = 0; i < made_of.claims.size(); ++i) {
    if (made_of.claim_owners[i] == 0 || made_of.claim_owners[i] != pod.uid) continue;
    const auto claim = cluster_.volumes().claim_object(model::namespace_of_claim(made_of.claims[i]),
                                                       model::name_of_claim(made_of.claims[i]));
    if (claim && claim->owner_uid == cluster_.text(pod.uid) && ingest::is_ephemeral_claim(*claim))
      gone.push_back(*claim);
  }
  for (const model::PersistentVolumeClaim& claim : gone) {
    const auto stays = protection_ ? protection_->stays_without_owner(claim) : std::nullopt;
    if (stays)
      intake_.put(*stays);
    else
      intake_.remove(claim);
  }
}

bool Core::keeps(const model::VolumeObject& deleted) {
  const auto stays = protection_ ? protection_->stays(deleted) : std::nullopt;
  if (stays) intake_.put(*stays);
  return stays.has_value();
}

void Core::remove_unused() {
  while (const std::optional<uint64_t> claim = cluster_.volumes().next_unused())
    if (protection_) protection_->unused(*claim);
  if (!protection_) return;
  while (const auto object = protection_->next_to_remove()) intake_.remove(*object);
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
  scheduler_->pending_updated(pod, before, report_);
}

void Core::assumed_updated(model::PodId pod, const model::PodRecord& object) {
  scheduler_->updates().keep(pod, object);
}

void Core::assigned_left(const model::PodRecord& before) {
  scheduler_->events().assigned_left(before);
}

void Core::storage_changed(const model::VolumeChange& change) {
  if (volumes_) volumes_->changed(change, now());
  if (protection_) protection_->changed(change);
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
  using Retired = model::Cluster::Retired;
  constexpr size_t kFewestNames = 1 << 16;
  if (shapes_are_due()) {
    binder_.wait();  // a batch holds ids, and the thread reads texts
    for (const auto& profile : assembly_.profiles)
      profile->for_each_hook([](framework::BoundHook& hook) { hook.forget_states(); });
    scheduler_->forget_states();
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
  collect();
  waiting_.clear();
  intake_.apply(change, from, waiting_, index);
  if (!waiting_.empty()) scheduler_->enqueue(waiting_, report_);
  scheduler_->continue_released(report_);
  audit();
}

void Core::apply_work(std::span<const WorkFile> files) {
  collect();
  waiting_.clear();
  intake_.add_work(files, waiting_);
  arrive(waiting_);
}

void Core::apply_work(const model::PodBatch& pods, const Origin& from) {
  collect();
  waiting_.clear();
  intake_.add_work(pods, from, waiting_);
  arrive(waiting_);
}

std::vector<model::PodId> Core::add(const model::PodBatch& pods, const Origin& from) {
  collect();
  std::vector<model::PodId> waiting;
  intake_.add_work(pods, from, waiting);
  return waiting;
}

model::PodId Core::add(const model::Pod& pod) { return cluster_.add_pod(pod); }

void Core::arrive(std::span<const model::PodId> pods) {
  scheduler_->enqueue(pods, report_);
  audit();
}

std::string Core::name_of(model::PodId pod) const { return full_name(cluster_, pod); }

void Core::update(model::PodId pod, const model::PodRecord& after) {
  const model::PodRecord before = cluster_.pod(pod);
  if (AssumedUpdates::applies_to(before)) return assumed_updated(pod, after);
  cluster_.update_pod(pod, after);
  before.state == model::PodState::kBound ? assigned_updated(pod, before)
                                          : pending_updated(pod, before);
}

void Core::remove(model::PodId pod) {
  intake_.remove(pod);
  audit();
}

void Core::delete_pod(model::PodId pod, std::optional<Time> leaves) {
  mark_deleted(pod, leaves);
  audit();
}

void Core::mark_deleted(model::PodId pod, std::optional<Time> leaves) {
  if (leaves && *leaves <= now()) return intake_.remove(pod);
  const bool counts = !leaves || deletions_.add(pod, name_of(pod), *leaves);
  model::PodRecord after = latest(pod);
  if (after.terminating && !counts) return;
  after.terminating = true;
  update(pod, after);
}

// The condition that tells why the pod is deleted, and the deletion, are two writes.
void Core::evict(model::PodId victim) {
  constexpr std::chrono::seconds kGrace{30};
  model::PodRecord after = latest(victim);
  after.preempted = true;
  update(victim, after);
  // An API server knows of no node of a pod that waits in PreBind: it deletes the pod at once.
  if (cluster_.pod(victim).state == model::PodState::kBinding) return intake_.remove(victim);
  const auto& spec = cluster_.templates()[after.pod_template].spec;
  mark_deleted(victim, now() + std::chrono::seconds(
                                   spec.termination_grace_seconds.value_or(kGrace.count())));
}

void Core::set_nominated_node(model::PodId pod, std::string_view node) {
  model::PodRecord after = latest(pod);
  const model::StringId named = node.empty() ? 0 : cluster_.strings().intern_counted(node);
  if (after.nominated_node == named) return;
  after.nominated_node = named;
  update(pod, after);
  audit();
}

size_t Core::drain(const std::string& node, std::vector<model::PodId>& again) {
  settle();
  size_t evicted = 0;
  for (const model::PodId id : cluster_.pods_on(node)) {
    const model::PodRecord& pod = cluster_.pod(id);
    const bool managed = pod.controller != 0;
    if (managed && cluster_.templates().controller(pod.controller).kind == "DaemonSet") continue;
    model::PodRecord fresh;
    fresh.namespace_name = pod.namespace_name;
    fresh.name = pod.name;
    fresh.pod_template = pod.pod_template;
    fresh.labels = pod.labels;
    fresh.controller = pod.controller;
    fresh.shape = pod.shape;
    fresh.requested = true;
    const bool comes_again = managed && !pod.terminating;
    remove(id);
    ++evicted;
    if (comes_again) again.push_back(cluster_.add_pod(fresh));
  }
  return evicted;
}

bool Core::allow(model::PodId pod, const std::string& plugin) {
  const bool counts = scheduler_->allow(pod, plugin);
  scheduler_->continue_released(report_);
  audit();
  return counts;
}

bool Core::reject(model::PodId pod, const std::string& plugin, std::string message) {
  const bool counts = scheduler_->reject(pod, plugin, std::move(message));
  scheduler_->continue_released(report_);
  audit();
  return counts;
}

std::optional<Time> Core::next_due() const {
  constexpr Time kSecond = std::chrono::seconds(1), kHalfMinute = std::chrono::seconds(30);
  const queue::SchedulingQueue& queue = scheduler_->queue();
  const auto size = [&](queue::Place place) { return queue.size(place); };
  std::optional<Time> next = deletions_.next();
  const auto consider = [&](std::optional<Time> time) {
    if (time && (!next || *time < *next)) next = time;
  };
  consider(scheduler_->waiting().next_timeout());
  consider(scheduler_->pre_bind_waits().next());
  if (volumes_) consider(volumes_->next());
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
  if (volumes_ && volumes_->next()) return true;
  return deletions_.size() + scheduler_->waiting().size() + scheduler_->pre_bind_waits().size() +
             queue.size(queue::Place::kBackoff) + queue.size(queue::Place::kErrorBackoff) !=
         0;
}

Time Core::longest_pre_bind() const {
  Time longest{};
  for (const auto& profile : assembly_.profiles)
    for (const auto& hook : profile->pre_bind)
      longest = std::max(longest, Time(hook.point->wait_limit_nanoseconds()));
  return longest;
}

bool Core::pods_wait() const { return scheduler_->queue().size(queue::Place::kUnschedulable) != 0; }

void Core::advance_to(Time to) {
  for (std::optional<Time> due = next_due(); due && *due <= to; due = next_due()) {
    clock_.set(std::max(*due, now()));
    tell_time();
    run_due();
    audit();
  }
  clock_.set(to);
  tell_time();
}

// Carries out what falls due now: deletions, Permit timers, then the queue's clocks.
void Core::run_due() {
  while (const std::optional<model::PodId> pod = deletions_.take(now())) intake_.remove(*pod);
  if (volumes_)
    volumes_->run_due(
        now(), [this](const auto& object) { intake_.put(object); },
        [this](const auto& object) { intake_.remove(object); });
  remove_unused();
  scheduler_->expire_permits(report_);
  scheduler_->continue_pre_binds(report_);
  if (now() % std::chrono::seconds(1) != Time{}) return;
  scheduler_->queue().flush_backoff(now());
  if (now() % std::chrono::seconds(30) == Time{}) scheduler_->queue().flush_unschedulable(now());
}

std::optional<model::PodId> Core::pop() {
  remove_unused();
  return scheduler_->pop();
}

bool Core::step() {
  const std::optional<model::PodId> pod = pop();
  if (!pod) return false;
  attempt(*pod);
  return true;
}

void Core::attempt(model::PodId pod) {
  if (watch_ == nullptr) {
    snapshot();
  } else {
    watch_->begins(cluster_.pod(pod));
    snapshot();
    watch_->ordered();
  }
  if (!unsettled_since_) unsettled_since_ = now();
  scheduler_->attempt(pod, report_);
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

void Core::publish() {
  binder_.run(calls_);
  if (sink_ != nullptr) sink_->flush();
}

void Core::settle() {
  settle_all();
  remove_unused();
  audit();
}

void Core::settle_all() {
  scheduler_->settle(report_);
  if (sink_ != nullptr) sink_->flush();
  unsettled_since_.reset();
}

std::string Core::fault() const { return first_fault(cluster_, *scheduler_, binder_); }

void Core::audit_now() {
  if (!auditor_.pays(cluster_.fault_cost())) return;
  if (const std::string wrong = fault(); !wrong.empty()) bug(wrong);
}

}  // namespace berth::runtime
