#include "bench/macro/measure/player.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>
#include <optional>
#include <span>
#include <utility>

#include "bench/macro/measure/meter.h"
#include "engine/cli/intake.h"
#include "engine/cli/session.h"
#include "engine/config/config.h"

namespace berth::bench {
namespace {

using loadgen::LoadStep;
using loadgen::Nanoseconds;

constexpr uint64_t kDecisionsPerProgress = 1024;
constexpr char kFrom[] = "load";

cycle::SchedulerOptions scheduler_options(const PlayOptions& options, framework::Workers& workers) {
  cycle::SchedulerOptions scheduler;
  scheduler.decide.seed = options.variant.seed;
  scheduler.decide.forced_percentage = options.variant.percentage;
  scheduler.evaluation = options.variant.evaluation;
  scheduler.full.workers = &workers;
  if (options.every_call_timed) scheduler.time_calls_every = 1;
  return scheduler;
}

// Where bindings go: nowhere.
class Nowhere final : public cycle::BindingSink {
 public:
  void measure_with(Meter* meter) { meter_ = meter; }
  void bind(std::string_view, std::string_view, std::string_view) override {}
  void batch_begins() override { meter_->binding_begins(); }
  void batch_ended(std::span<const uint64_t> came) override { meter_->binding_ended(came); }

 private:
  Meter* meter_ = nullptr;
};

// Namespace and name of the pod that an event is about; nothing if it is about something else.
std::optional<std::pair<std::string_view, std::string_view>> pod_of(const ingest::Event& event) {
  using Names = std::optional<std::pair<std::string_view, std::string_view>>;
  return std::visit(
      [](const auto& e) -> Names {
        using E = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<E, ingest::PodPlaced> || std::is_same_v<E, ingest::PodUpdated>)
          return Names(std::in_place, e.pod.namespace_name, e.pod.name);
        else if constexpr (std::is_same_v<E, ingest::PodDeleted> ||
                           std::is_same_v<E, ingest::PodFinished>)
          return Names(std::in_place, e.namespace_name, e.name);
        else
          return std::nullopt;
      },
      event);
}

}  // namespace

class Player::Work {
 public:
  Work(const PlayOptions& options, cycle::Plugins& plugins)
      : options_(options),
        clock_(*options.clock),
        workers_(options.variant.threads),
        session_(configuration_of(options.variant, options.workload_config), plugins,
                 scheduler_options(options, workers_), &nowhere_),
        cluster_(session_.cluster()),
        intake_(cluster_, diagnostics_),
        meter_(session_, {clock_, by_wall_clock(), options.allocations, options.trace}) {
    nowhere_.measure_with(&meter_);
    report_ = [this](const cycle::PodResult& result) { on_result(result); };
  }

  Measurement play(loadgen::Load& load);
  const host::HookTable& hooks() { return session_.hooks(); }

 private:
  // Who came and was not tried. The handle of a pod is the clock's time when it came.
  struct Arrivals {
    std::vector<model::PodRecord> pods;  // in order of that time
    size_t arrived = 0;                  // of those, in the scheduler's queue by now
    bool over() const { return arrived == pods.size(); }
    Nanoseconds next() const { return Nanoseconds(static_cast<int64_t>(pods[arrived].handle)); }
  };

  bool going() {
    if (going_ && options_.stop()) going_ = false;
    return going_;
  }
  bool by_wall_clock() const { return options_.variant.clock == Clock::kWall; }
  bool by_plan(const LoadStep& step) const {
    return begun_ && by_wall_clock() && !step.closed_loop;
  }
  void begin(const LoadStep& first);
  Nanoseconds due(Nanoseconds planned) const;
  void await(const LoadStep& step);
  void run_until(Nanoseconds time, bool all_tried);
  bool names_somebody_untried(const LoadStep& step) const;
  void switch_measuring(bool on);
  void take(LoadStep& step);
  void take_cluster(const LoadStep& step);
  void evict(const std::string& node);
  void check();
  void arrive(const LoadStep& step);
  void let_arrive();
  bool decide_one();
  void flush() { session_.scheduler().flush(report_); }
  void on_result(const cycle::PodResult& result);

  const PlayOptions& options_;
  loadgen::WallClock& clock_;
  Nowhere nowhere_;
  framework::Workers workers_;
  cli::Session session_;
  model::Cluster& cluster_;
  Diagnostics diagnostics_;
  cli::Intake intake_;
  Meter meter_;
  cycle::Scheduler::OnResult report_;
  Arrivals arrivals_;
  uint64_t queued_ = 0;  // pods in the scheduler's queue
  uint64_t tried_ = 0;
  bool going_ = true;
  std::optional<Nanoseconds> begun_;  // on the clock
  Nanoseconds origin_{0};             // planned, the same moment
  // With the wall clock: namespace and name of each pod that came, or is to come.
  boost::unordered_flat_set<std::pair<model::StringId, model::StringId>> untried_;
};

Measurement Player::Work::play(loadgen::Load& load) {
  bool more = true;
  for (LoadStep step; going() && (more = load.next(step));) {
    if (!begun_ && !step.is_scene()) begin(step);
    await(step);
    if (!going_) break;
    switch_measuring(step.measured);
    take(step);
    check();
  }
  run_until(clock_.now(), true);
  flush();
  meter_.switch_off(queued_);
  if (!more && !meter_.was_on())
    throw Error("nothing of this workload is measured: it has no pods of a measured part");
  Measurement measurement = meter_.give();
  measurement.note = load.note();
  measurement.decisions_of_all = tried_;
  measurement.interrupted = !going_;
  return measurement;
}

// The clock starts when all of the scene is in place.
void Player::Work::begin(const LoadStep& first) {
  cluster_.order_rows();
  switch_measuring(first.measured);
  begun_ = clock_.now();
  origin_ = first.at;
}

Nanoseconds Player::Work::due(Nanoseconds planned) const {
  constexpr double kLongest = 4e18;  // a hundred years, which no clock here comes to
  const double passes = static_cast<double>((planned - origin_).count()) / options_.variant.speed;
  return *begun_ + Nanoseconds(static_cast<int64_t>(std::min(passes, kLongest)));
}

// Until the step may take effect.
void Player::Work::await(const LoadStep& step) {
  if (!by_wall_clock()) return;  // all were tried as they came
  if (!by_plan(step)) return run_until(clock_.now(), true);
  run_until(due(step.at), step.measured != meter_.on() || names_somebody_untried(step));
}

// Pods arrive and are decided until it is that time, and, if asked for, all of them were tried.
void Player::Work::run_until(Nanoseconds time, bool all_tried) {
  while (going()) {
    let_arrive();
    if (queued_ == 0) flush();  // nobody is there to share the batch
    if (arrivals_.over() && (queued_ == 0 || !all_tried) && clock_.now() >= time) return;
    if (decide_one()) continue;
    clock_.wait_until(arrivals_.over() ? time : arrivals_.next(), options_.stop);
  }
}

bool Player::Work::names_somebody_untried(const LoadStep& step) const {
  return std::ranges::any_of(step.events, [&](const ingest::Event& event) {
    const auto pod = pod_of(event);
    return pod && untried_.contains(
                      {cluster_.strings().find(pod->first), cluster_.strings().find(pod->second)});
  });
}

void Player::Work::switch_measuring(bool on) {
  if (on == meter_.on()) return;
  flush();
  if (on)
    meter_.switch_on();
  else
    meter_.switch_off(queued_);
}

void Player::Work::check() {
  if (diagnostics_.count() == 0) return;
  throw Error("the load does not fit together, which is a fault of the workload: " +
              std::string(diagnostics_.kept().front().what()));
}

void Player::Work::take(LoadStep& step) {
  meter_.work_begins();
  intake_.define(step.templates);
  take_cluster(step);
  arrive(step);
  if (!by_plan(step)) {
    let_arrive();
    while (going_ && decide_one()) going();
    flush();
  }
  meter_.work_ended();
}

void Player::Work::take_cluster(const LoadStep& step) {
  const ingest::ClusterPart& part = step.cluster;
  const bool grows = !part.nodes.empty() || !part.namespaces.empty() || !part.pods.empty() ||
                     !part.selector_owners.empty();
  if (grows || !step.events.empty() || !step.drained.empty()) flush();
  if (!part.nodes.empty()) meter_.nodes_come();
  if (grows) intake_.add_cluster(part, kFrom);
  if (!part.nodes.empty()) meter_.nodes_came();
  for (const ingest::Event& event : step.events) intake_.apply(event, kFrom);
  for (const std::string& node : step.drained) evict(node);
}

// As kubectl does it, pods of DaemonSets stay. The others go, and those that somebody manages come
// again, at once, and wait like any other.
void Player::Work::evict(const std::string& node) {
  uint64_t evicted = 0;
  for (model::PodRecord& pod : cluster_.pods_on(node)) {
    const bool managed = pod.controller != 0;
    if (managed && cluster_.templates().controller(pod.controller).kind == "DaemonSet") continue;
    cluster_.remove_pod(pod.namespace_name, pod.name);
    ++evicted;
    if (managed && !pod.terminating) arrivals_.pods.push_back(pod);
  }
  meter_.evicted(evicted);
}

// Pods that come again come first, at once; the others when they are planned to. Precondition: all
// that came before are in the scheduler's queue.
void Player::Work::arrive(const LoadStep& step) {
  std::vector<model::PodRecord>& pods = arrivals_.pods;
  const size_t again = pods.size();
  intake_.add_work(step.pods, kFrom, pods);
  check();
  if (pods.size() != again + step.pods.size())
    throw Error("a pod of this workload has a node already; such pods belong to its cluster");
  const auto now = static_cast<uint64_t>(clock_.now().count());
  const bool planned = by_plan(step);
  for (size_t i = 0; i < pods.size(); ++i)
    pods[i].handle =
        planned && i >= again ? static_cast<uint64_t>(due(step.planned[i - again]).count()) : now;
  if (by_wall_clock())
    for (const model::PodRecord& pod : pods) untried_.emplace(pod.namespace_name, pod.name);
  meter_.pods_come(pods);
}

// Those whose time has come enter the scheduler's queue.
void Player::Work::let_arrive() {
  if (arrivals_.over()) return;
  const auto now = static_cast<uint64_t>(clock_.now().count());
  size_t end = arrivals_.arrived;
  while (end < arrivals_.pods.size() && arrivals_.pods[end].handle <= now) ++end;
  const auto come = std::span(arrivals_.pods).subspan(arrivals_.arrived, end - arrivals_.arrived);
  if (come.empty()) return;
  arrivals_.arrived = end;
  queued_ += come.size();
  // Pods that are gated or of no profile are reported, and do not wait.
  session_.scheduler().enqueue(come, report_);
  if (!arrivals_.over()) return;
  arrivals_.pods.clear();
  arrivals_.arrived = 0;
}

// False: nobody waits in the scheduler's queue.
bool Player::Work::decide_one() {
  if (queued_ == 0) return false;
  cluster_.order_rows();
  meter_.decision_begins();
  session_.scheduler().schedule_next(report_);
  --queued_;
  ++tried_;
  meter_.decision_ended(queued_);
  if (tried_ % kDecisionsPerProgress == 0) meter_.aside([&] { options_.progress(tried_); });
  return true;
}

void Player::Work::on_result(const cycle::PodResult& result) {
  const bool in_queue =
      result.outcome == cycle::PodOutcome::kGated || result.outcome == cycle::PodOutcome::kIgnored;
  if (in_queue) --queued_;
  if (by_wall_clock()) untried_.erase({result.pod->namespace_name, result.pod->name});
  meter_.result(result);
}

Player::Player(const PlayOptions& options, cycle::Plugins& plugins)
    : work_(std::make_unique<Work>(options, plugins)) {}

Player::~Player() = default;

Measurement Player::play(loadgen::Load& load) { return work_->play(load); }

const host::HookTable& Player::hooks() const { return work_->hooks(); }

}  // namespace berth::bench
