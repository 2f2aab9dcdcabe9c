#include "bench/macro/measure/player.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "bench/macro/measure/meter/meter.h"
#include "engine/config/config.h"
#include "engine/drive/course/run_course.h"
#include "engine/drive/driver.h"
#include "engine/ingest/workloads/pod_names.h"
#include "engine/played/api_server.h"
#include "engine/runtime/core.h"
#include "engine/startup/plugin_options.h"

namespace berth::bench {
namespace {

using loadgen::LoadStep;
using loadgen::Nanoseconds;

constexpr uint64_t kDecisionsPerProgress = 1024;
constexpr char kFrom[] = "load";

runtime::CoreOptions core_options(const PlayOptions& options, framework::Workers& workers,
                                  runtime::Server& server) {
  runtime::CoreOptions core;
  core.scheduler.decide.seed = options.variant.tie_seed.value_or(options.variant.seed);
  core.scheduler.decide.tie_break = options.variant.tie_break;
  core.scheduler.decide.forced_percentage = options.variant.percentage;
  core.scheduler.evaluation = options.variant.evaluation;
  core.scheduler.verify_every = options.variant.verify_every;
  core.scheduler.full.workers = &workers;
  core.scheduler.full.ranking_bytes = options.variant.ranking_bytes;
  core.server = &server;
  core.deadlines = startup::deadlines_of(options.variant.call_limit);
  if (options.every_call_timed) core.scheduler.time_calls_every = 1;
  return core;
}

played::ApiServerOptions server_options(const PlayOptions& options) {
  played::ApiServerOptions server;
  server.volumes.emplace().seed = options.variant.seed;
  server.controllers = options.variant.played_controllers();
  return server;
}

}  // namespace

class Player::Work final : private drive::Program {
 public:
  Work(const PlayOptions& options, config::Configuration configuration, runtime::Plugins& plugins)
      : options_(options),
        clock_(*options.clock),
        workers_(options.variant.threads),
        server_(server_options(options)),
        core_(std::move(configuration), plugins, core_options(options, workers_, server_),
              [this](const runtime::Report& report) { on_report(report); }),
        meter_(core_, {clock_, by_wall_clock(), options.allocations, options.trace}),
        // What becomes of pods after the load is looked at for the sake of controllers alone.
        driver_(core_, *this, drive::Pace(drive::ClockKind::kVirtual),
                {.lets_pods_leave = options.for_controllers}) {
    server_.attach(core_);
  }

  Measurement play(loadgen::Load& load);
  const host::HookTable& hooks() { return core_.hooks(); }
  const runtime::Core& core() const { return core_; }

 private:
  // Pods that are in the model and not in the queue yet, in order of the clock's time at which they
  // arrive, which is also their creation time.
  struct Arrivals {
    std::vector<model::PodId> pods;
    size_t arrived = 0;  // of those, in the queue by now
    bool over() const { return arrived == pods.size(); }
  };
  Nanoseconds arrival_of(model::PodId pod) {
    return Nanoseconds(core_.cluster().pod(pod).created_at);
  }
  Nanoseconds next_arrival() { return arrival_of(arrivals_.pods[arrivals_.arrived]); }

  bool going() {
    if (going_ && options_.stop()) going_ = false;
    return going_;
  }
  bool by_wall_clock() const { return options_.variant.clock == Clock::kWall; }
  bool by_plan(const LoadStep& step) const {
    return begun_ && by_wall_clock() && !step.closed_loop;
  }
  void advance(Nanoseconds time);
  void pass_to(Nanoseconds time);
  void play_out();
  void begin(const LoadStep& first);
  Nanoseconds due(Nanoseconds planned) const;
  void await(const LoadStep& step);
  void run_until(Nanoseconds time, bool all_tried);
  bool names_an_untried_pod(const LoadStep& step);
  void switch_measuring(bool on);
  static void hash_names(ingest::PodBatch& pods);
  void take(LoadStep& step);
  void take_cluster(const LoadStep& step);
  void tell(const model::Change& event);
  void drain(const std::string& node);
  bool evict(model::PodId pod);
  bool is_played(const model::PodRecord& pod) const;
  bool ends_an_evicted_pod(const model::Change& event);
  void check();
  void arrive(const LoadStep& step);
  void let_arrive();
  bool decide_one();
  void on_report(const runtime::Report& report);
  void note_gone(const runtime::Report& report);
  bool stopped() override { return !going(); }
  void decide() override { decide_one(); }
  void time_passed() override { course_.time_passed(core_); }
  bool stands_still();

  const PlayOptions& options_;
  loadgen::WallClock& clock_;
  framework::Workers workers_;
  drive::RunCourse course_;
  played::ApiServer server_;
  runtime::Core core_;
  Meter meter_;
  Arrivals arrivals_;
  bool told_ = false;  // the load tells of a pod, or lets pods arrive
  // By namespace and name: pods that are gone, or about to go, without the load's doing.
  std::set<std::pair<std::string, std::string>> evicted_;
  uint64_t tried_ = 0;
  drive::Driver driver_;
  bool going_ = true;
  std::optional<Nanoseconds> begun_;  // on the clock
  Nanoseconds origin_{0};             // planned, the same moment
};

// As the reading thread does it where pods come as a stream.
void Player::Work::hash_names(ingest::PodBatch& pods) {
  pods.name_hashes.clear();
  for (const std::string_view name : pods.names)
    pods.name_hashes.push_back(model::Strings::hash(name));
}

Measurement Player::Work::play(loadgen::Load& load) {
  bool more = true;
  for (LoadStep step; going() && (more = load.next(step));) {
    hash_names(step.pods);
    if (!begun_ && !step.is_scene()) begin(step);
    await(step);
    if (step.awaits_pods) play_out();
    if (!going_) break;
    switch_measuring(step.measured);
    take(step);
    check();
  }
  meter_.work_begins();  // run_until tries pods that back off
  run_until(clock_.now(), true);
  play_out();
  core_.settle();
  course_.end(core_);
  meter_.switch_off(core_.scheduler().queued());
  if (!more && !meter_.was_on())
    throw Error("nothing of this workload is measured: it has no pods of a measured part");
  Measurement measurement = meter_.give();
  measurement.note = load.note();
  measurement.pods_disrupted = course_.disrupted();
  measurement.recovery = course_.recovery();
  measurement.queues = course_.queues();
  measurement.decisions_of_all = tried_;
  measurement.interrupted = !going_;
  return measurement;
}

// The clock starts when all of the scene is in place.
void Player::Work::begin(const LoadStep& first) {
  core_.snapshot();
  switch_measuring(first.measured);
  begun_ = clock_.now();
  origin_ = first.at;
}

Nanoseconds Player::Work::due(Nanoseconds planned) const {
  constexpr double kLongest = 4e18;  // a hundred years, which no clock here comes to
  const double passes = static_cast<double>((planned - origin_).count()) / options_.variant.speed;
  return *begun_ + Nanoseconds(static_cast<int64_t>(std::min(passes, kLongest)));
}

void Player::Work::on_report(const runtime::Report& report) {
  driver_.take(report);
  course_.take(report, core_);
  if (!told_) {
    note_gone(report);
    if (const auto* made = std::get_if<runtime::Arrived>(&report)) meter_.pods_are_made(made->pods);
  }
  meter_.report(report);
}

// The load knows nothing of pods that controllers made.
void Player::Work::note_gone(const runtime::Report& report) {
  if (!std::holds_alternative<runtime::Evicted>(report) &&
      !std::holds_alternative<runtime::Deleted>(report))
    return;
  const model::PodId id = runtime::pod_of(report);
  if (meter_.was_made(id)) return;
  const model::PodRecord& pod = core_.cluster().pod(id);
  evicted_.emplace(core_.cluster().text(pod.namespace_name), core_.cluster().text(pod.name));
}

// By the virtual clock. What controllers bring about on the way is decided on the way.
void Player::Work::pass_to(Nanoseconds time) {
  if (!options_.for_controllers) return advance(time);
  driver_.pass_to(time);
}

// Virtual time passes until then; with the wall clock, time that has passed counts.
void Player::Work::advance(Nanoseconds time) {
  core_.advance_to(std::max(core_.now(), time));
  course_.time_passed(core_);
}

// With the wall clock the load says when the run ends.
bool Player::Work::stands_still() { return !by_wall_clock() && driver_.stands_still(); }

// Time goes on without the load until no pod waits for it. With the wall clock the pods are tried
// as their time comes, and the load goes on.
void Player::Work::play_out() {
  if (by_wall_clock()) return;
  meter_.work_begins();
  driver_.play_out();
  meter_.work_ended();
}

// Until the step may take effect.
void Player::Work::await(const LoadStep& step) {
  if (!by_wall_clock()) return;  // all were tried as they came
  if (!by_plan(step)) return run_until(clock_.now(), true);
  run_until(due(step.at), step.measured != meter_.on() || names_an_untried_pod(step));
}

// Pods arrive and are decided until it is that time, and, if asked for, all of them were tried.
void Player::Work::run_until(Nanoseconds time, bool all_tried) {
  while (going()) {
    let_arrive();
    if (arrivals_.over() && stands_still()) return;
    if (core_.scheduler().queued() == 0) core_.settle();  // nothing is there to share the batch
    if (arrivals_.over() && (core_.scheduler().queued() == 0 || !all_tried) && clock_.now() >= time)
      return;
    if (decide_one()) continue;
    Nanoseconds next = arrivals_.over() ? time : next_arrival();
    if (by_wall_clock()) next = std::min(next, core_.next_due().value_or(next));
    clock_.wait_until(next, options_.stop);
    if (by_wall_clock()) advance(clock_.now());
  }
}

bool Player::Work::names_an_untried_pod(const LoadStep& step) {
  return std::ranges::any_of(step.events, [&](const model::Change& event) {
    const auto* named = std::get_if<model::TemplatePod>(&event.object);
    if (named == nullptr) return false;
    const model::PodId pod = core_.cluster().find_pod(named->namespace_name, named->name);
    if (!pod) return false;
    const model::PodRecord& record = core_.cluster().pod(pod);
    return record.state == model::PodState::kWaiting && record.attempts == 0;
  });
}

void Player::Work::switch_measuring(bool on) {
  if (on == meter_.on()) return;
  core_.settle();
  if (on)
    meter_.switch_on();
  else
    meter_.switch_off(core_.scheduler().queued());
}

void Player::Work::check() {
  if (core_.diagnostics().count() == 0) return;
  throw Error("the load does not fit together, which is a fault of the workload: " +
              std::string(core_.diagnostics().kept().front().what()));
}

void Player::Work::take(LoadStep& step) {
  meter_.work_begins();
  if (!by_wall_clock() && !step.closed_loop) pass_to(step.at);
  if (!step.retired_templates.empty()) core_.door().retire_templates(step.retired_templates);
  core_.door().apply(step.templates);
  take_cluster(step);
  arrive(step);
  driver_.input_came();
  if (!by_plan(step)) {
    let_arrive();
    // Pods that back off are tried when their time comes, so the decisions do not depend on how the
    // load is cut into steps.
    while (going_ && (by_wall_clock() || core_.has_active()) && !stands_still() && decide_one())
      going();
    core_.settle();
  }
  meter_.work_ended();
}

void Player::Work::take_cluster(const LoadStep& step) {
  const bool nodes = std::ranges::any_of(step.cluster, [](const model::Change& change) {
    return std::holds_alternative<model::Node>(change.object);
  });
  if (nodes) meter_.nodes_come();
  if (!step.cluster.empty()) core_.door().apply(step.cluster, kFrom);
  if (nodes) meter_.nodes_came();
  for (const model::Change& event : step.events) tell(event);
  for (const std::string& node : step.drained) drain(node);
}

void Player::Work::tell(const model::Change& event) {
  if (ends_an_evicted_pod(event)) return;
  told_ = std::holds_alternative<model::TemplatePod>(event.object);
  server_.apply(event, kFrom);
  told_ = false;
}

void Player::Work::drain(const std::string& node) {
  const model::Cluster& cluster = core_.cluster();
  for (const model::PodId pod : cluster.pods_on(node)) {
    const model::PodRecord& record = cluster.pod(pod);
    evicted_.emplace(cluster.text(record.namespace_name), cluster.text(record.name));
  }
  core_.settle();
  size_t evicted = 0;
  for (const model::PodId pod : cluster.pods_on(node)) evicted += evict(pod);
  meter_.evicted(evicted);
}

// True if the controller of its workload, of which there was a manifest, makes another one.
bool Player::Work::is_played(const model::PodRecord& pod) const {
  if (!options_.variant.played_controllers().create_pods()) return false;
  const model::Cluster& cluster = core_.cluster();
  const model::Controller& by = cluster.templates().controller(pod.controller);
  return by.uid == ingest::made_uid(by.kind, cluster.text(pod.namespace_name), by.name);
}

// False: a pod of a DaemonSet stays. What a controller manages, and is not being deleted, comes
// again at once, without a node, as the controller would have it.
bool Player::Work::evict(model::PodId id) {
  const model::Cluster& cluster = core_.cluster();
  const model::PodRecord& pod = cluster.pod(id);
  const bool managed = pod.controller != 0;
  if (managed && cluster.templates().controller(pod.controller).kind == "DaemonSet") return false;
  model::PodRecord fresh;
  fresh.namespace_name = pod.namespace_name;
  fresh.name = pod.name;
  fresh.pod_template = pod.pod_template;
  fresh.labels = pod.labels;
  fresh.controller = pod.controller;
  fresh.shape = pod.shape;
  fresh.requested = true;
  const bool comes_again = managed && !pod.terminating && !is_played(pod);
  core_.door().remove(id);
  if (comes_again) arrivals_.pods.push_back(core_.door().add(fresh));
  return true;
}

// The load plans the end of each pod when it makes the pod, and so also of those that were evicted
// since, by a drain or for another pod.
bool Player::Work::ends_an_evicted_pod(const model::Change& event) {
  const auto* pod = std::get_if<model::TemplatePod>(&event.object);
  if (evicted_.empty() || pod == nullptr || event.operation == model::Operation::kAdded)
    return false;
  return !core_.cluster().find_pod(pod->namespace_name, pod->name) &&
         evicted_.erase({pod->namespace_name, pod->name}) != 0;
}

// Pods that were evicted come again first, at once; the others when they are planned to.
// Precondition: all pods that arrived before are in the queue.
void Player::Work::arrive(const LoadStep& step) {
  std::vector<model::PodId>& pods = arrivals_.pods;
  const size_t again = pods.size();
  const std::vector<model::PodId> fresh = core_.door().add(step.pods, kFrom);
  check();
  if (fresh.size() != step.pods.size())
    throw Error("a pod of this workload has a node already; such pods belong to its cluster");
  pods.insert(pods.end(), fresh.begin(), fresh.end());
  const Nanoseconds now = clock_.now();
  const bool planned = by_plan(step);
  for (size_t i = 0; i < pods.size(); ++i) {
    const Nanoseconds time = planned && i >= again ? due(step.planned[i - again]) : now;
    core_.door().set_created_at(pods[i], time.count());
  }
  meter_.pods_come(pods);
}

// Pods whose time has come enter the queue.
void Player::Work::let_arrive() {
  if (arrivals_.over()) return;
  const Nanoseconds now = clock_.now();
  size_t end = arrivals_.arrived;
  while (end < arrivals_.pods.size() && arrival_of(arrivals_.pods[end]) <= now) ++end;
  const auto come = std::span(arrivals_.pods).subspan(arrivals_.arrived, end - arrivals_.arrived);
  if (come.empty()) return;
  arrivals_.arrived = end;
  told_ = true;
  core_.door().arrive(come);
  told_ = false;
  if (!arrivals_.over()) return;
  arrivals_.pods.clear();
  arrivals_.arrived = 0;
}

// False: no pod waits in the queue.
bool Player::Work::decide_one() {
  if (core_.scheduler().queued() == 0) return false;
  course_.time_passed(core_);
  core_.snapshot();
  meter_.decision_begins();
  core_.step(by_wall_clock() ? clock_.now() : driver_.next_decision_at());
  ++tried_;
  meter_.decision_ended(core_.scheduler().queued());
  if (tried_ % kDecisionsPerProgress == 0) meter_.aside([&] { options_.progress(tried_); });
  return true;
}

Player::Player(const PlayOptions& options, config::Configuration configuration,
               runtime::Plugins& plugins)
    : work_(std::make_unique<Work>(options, std::move(configuration), plugins)) {}

Player::~Player() = default;

Measurement Player::play(loadgen::Load& load) { return work_->play(load); }

const host::HookTable& Player::hooks() const { return work_->hooks(); }

const runtime::Core& Player::core() const { return work_->core(); }

}  // namespace berth::bench
