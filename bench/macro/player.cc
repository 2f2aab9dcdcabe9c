#include "bench/macro/player.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <thread>
#include <utility>

#include "bench/macro/hook_costs.h"
#include "bench/macro/process_usage.h"
#include "bench/macro/quality.h"
#include "bench/macro/recorder.h"
#include "bench/macro/stopwatch.h"
#include "engine/base/cycle_clock.h"
#include "engine/cli/codes.h"
#include "engine/cli/intake.h"
#include "engine/cli/session.h"
#include "engine/config/config.h"

namespace berth::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;
using loadgen::LoadStep;
using loadgen::Nanoseconds;

constexpr uint64_t kDecisionsPerProgress = 1024;
// Below these a page more or less would be much of the figure.
constexpr uint64_t kFewestNodesForBytes = 1000, kFewestPodsForBytes = 10'000;

cycle::SchedulerOptions scheduler_options(const PlayOptions& options) {
  cycle::SchedulerOptions scheduler;
  scheduler.decide.seed = options.variant.seed;
  scheduler.decide.forced_percentage = options.variant.percentage;
  scheduler.evaluation = options.variant.evaluation;
  scheduler.full.threads = options.variant.threads;
  if (options.every_call_timed) scheduler.time_calls_every = 1;
  return scheduler;
}

config::Configuration configuration(const PlayOptions& options) {
  if (!options.variant.config.empty()) return config::load(options.variant.config);
  if (!options.workload_config.empty()) return config::load(options.workload_config);
  return config::defaults();
}

int64_t now_ns() {
  return std::chrono::duration_cast<Nanoseconds>(SteadyClock::now().time_since_epoch()).count();
}

// Pods that were decided wait here for their binding, with the times at which they came (ns of the
// steady clock): a batch is bound in the order of its decisions.
class BoundTimes final : public cycle::BindingSink {
 public:
  void decided(uint64_t came) { came_.push_back(came); }
  void measure(Histogram* into) { into_ = into; }
  // Of a batch in which bindings failed it is not known which: those count nowhere.
  void forget() {
    came_.clear();
    bound_ = 0;
  }
  size_t bound() const { return bound_; }  // since then

  void bind(std::string_view, std::string_view, std::string_view) override {
    ++bound_;
    if (came_.empty()) return;
    const int64_t waited = now_ns() - static_cast<int64_t>(came_.front());
    came_.pop_front();
    if (into_ != nullptr) into_->record(static_cast<uint64_t>(std::max<int64_t>(waited, 0)));
  }

 private:
  std::deque<uint64_t> came_;
  size_t bound_ = 0;
  Histogram* into_ = nullptr;
};

}  // namespace

class Player::Work {
 public:
  Work(const PlayOptions& options, cycle::Plugins& plugins)
      : options_(options),
        memory_at_first_(resident_bytes()),
        session_(configuration(options), plugins, scheduler_options(options), &bound_),
        intake_(session_.cluster(), diagnostics_),
        recorder_(session_.cluster()) {
    report_ = [this](const cycle::PodResult& result) { on_result(result); };
    if (options_.trace == nullptr) return;
    logs_.push_back(options_.trace->add_thread());
    for (size_t i = 0; i < session_.scheduler().other_workers().size(); ++i)
      logs_.push_back(options_.trace->add_thread());
  }

  Measurement play(loadgen::Load& load);
  const host::HookTable& hooks() { return session_.hooks(); }

 private:
  void take(LoadStep& step);
  void evict(const std::string& node);
  void check();
  void set_measuring(bool measuring);
  void log_calls(bool yes);
  void arrive(const LoadStep& step);
  void enqueue(size_t begin, size_t end);
  bool decide_one();
  void decide_all();
  void flush();
  void on_result(const cycle::PodResult& result);
  void observe();
  SteadyClock::time_point due(Nanoseconds planned) const {
    return begun_ + std::chrono::duration_cast<SteadyClock::duration>(
                        std::chrono::duration<double, std::nano>(
                            static_cast<double>(planned.count()) / options_.variant.speed));
  }
  bool by_wall_clock() const { return options_.variant.clock == Clock::kWall; }

  const PlayOptions& options_;
  uint64_t memory_at_first_;
  BoundTimes bound_;
  cli::Session session_;
  Diagnostics diagnostics_;
  cli::Intake intake_;
  Recorder recorder_;
  cycle::Scheduler::OnResult report_;
  std::vector<model::PodRef> waiting_;
  uint64_t queued_ = 0;  // pods in the scheduler's queue
  uint64_t tried_ = 0;   // decisions of all steps
  bool measuring_ = false;
  bool measured_ = false;
  bool going_ = true;
  SteadyClock::time_point begun_;
  Stopwatch watch_;  // of the measured part
  CycleRate rate_;
  CpuSeconds cpu_;
  uint64_t memory_at_begin_ = 0;
  uint64_t memory_grown_ = 0;
  uint64_t allocations_ = 0;
  HookCosts hook_costs_{session_};
  std::vector<bool> shapes_;  // by template: some pod that is measured has it
  std::vector<host::CallLog*> logs_;
  // Of the last result, for the trace.
  const char* outcome_ = "";
  std::string_view namespace_, name_;
  Histogram queue_to_bound_;
  Measurement m_;
};

Measurement Player::Work::play(loadgen::Load& load) {
  begun_ = SteadyClock::now();
  LoadStep step;
  while (going_ && load.next(step)) {
    set_measuring(step.measured);
    if (by_wall_clock() && !step.closed_loop) std::this_thread::sleep_until(due(step.at));
    take(step);
    check();
  }
  flush();
  if (measuring_) observe();
  set_measuring(false);
  if (!measured_)
    throw Error("nothing of this workload is measured: it has no pods of a measured part");
  m_.note = load.note();
  m_.nodes = session_.cluster().nodes().rows();
  m_.decisions_of_all = tried_;
  m_.interrupted = !going_;
  m_.elapsed_seconds = watch_.seconds();
  recorder_.give(m_);
  m_.decision.unit = rate_.seconds();
  m_.queue_to_bound = Times{queue_to_bound_, 1e-9};
  if (options_.allocations != nullptr && m_.decisions != 0)
    m_.allocations_per_decision =
        static_cast<double>(allocations_) / static_cast<double>(m_.decisions);
  m_.hooks = hook_costs_.of(m_.decisions);
  if (m_.pods_scheduled >= kFewestPodsForBytes)
    m_.bytes_per_pod = static_cast<double>(memory_grown_) / static_cast<double>(m_.pods_scheduled);
  m_.decision_hash = session_.scheduler().hash().to_string();
  m_.plugins_missing = session_.assembly().missing;
  m_.peak_memory_bytes = peak_resident_bytes();
  std::vector<model::TemplateId> shapes;
  for (model::TemplateId id = 0; id < shapes_.size(); ++id)
    if (shapes_[id]) shapes.push_back(id);
  session_.cluster().order_rows();
  m_.quality = quality(session_.cluster(), shapes);
  if (options_.trace != nullptr) m_.trace_events_dropped = options_.trace->dropped();
  return std::move(m_);
}

void Player::Work::check() {
  if (diagnostics_.count() == 0) return;
  throw Error("the load does not fit together, which is a fault of the workload: " +
              std::string(diagnostics_.kept().front().what()));
}

void Player::Work::take(LoadStep& step) {
  static const std::string kFrom = "load";
  if (measuring_) watch_.resume();
  intake_.define(step.templates);
  const ingest::ClusterPart& part = step.cluster;
  const bool grows = !part.nodes.empty() || !part.namespaces.empty() || !part.pods.empty() ||
                     !part.pod_sets.empty();
  if (grows || !step.events.empty() || !step.drained.empty()) flush();
  if (grows) intake_.add_cluster(part, kFrom);
  for (const ingest::Event& event : step.events) intake_.apply(event, kFrom);
  for (const std::string& node : step.drained) evict(node);
  const size_t again = waiting_.size();
  intake_.add_work(step.pods, kFrom, waiting_);
  session_.cluster().order_rows();
  check();
  if (waiting_.size() != again + step.pods.size())
    throw Error("a pod of this workload has a node already; such pods belong to its cluster");
  if (measuring_)
    for (const model::PodRef& pod : waiting_) {
      if (pod.pod_template >= shapes_.size()) shapes_.resize(pod.pod_template + 1);
      shapes_[pod.pod_template] = true;
    }
  if (!part.nodes.empty() && tried_ == 0 && session_.cluster().placed_pods() == 0 &&
      session_.cluster().nodes().rows() >= kFewestNodesForBytes)
    m_.bytes_per_node = static_cast<double>(resident_bytes() - memory_at_first_) /
                        static_cast<double>(session_.cluster().nodes().rows());
  arrive(step);
  waiting_.clear();
  if (!by_wall_clock()) watch_.pause();
}

// Its pods go; those that somebody manages come again, and wait like any other.
void Player::Work::evict(const std::string& node) {
  model::Cluster& cluster = session_.cluster();
  for (model::PodRef& pod : cluster.pods_on(node)) {
    cluster.remove_pod(pod.namespace_name, pod.name);
    if (measuring_) ++m_.pods_evicted;
    if (pod.controller != 0 && !pod.terminating) waiting_.push_back(pod);
  }
}

// Pods that come again come first, at once; the others when they are planned to.
void Player::Work::arrive(const LoadStep& step) {
  const size_t again = waiting_.size() - step.pods.size();
  const auto now = static_cast<uint64_t>(now_ns());
  const bool planned = by_wall_clock() && !step.closed_loop;
  for (size_t i = 0; i < waiting_.size(); ++i) {
    waiting_[i].handle = now;
    if (planned && i >= again)
      waiting_[i].handle = static_cast<uint64_t>(
          std::chrono::duration_cast<Nanoseconds>(due(step.planned[i - again]).time_since_epoch())
              .count());
  }
  if (!planned) {
    enqueue(0, waiting_.size());
    decide_all();
    return;
  }
  for (size_t at = 0; going_ && at < waiting_.size();) {
    if (queued_ == 0 && static_cast<int64_t>(waiting_[at].handle) > now_ns()) {
      flush();
      std::this_thread::sleep_until(
          SteadyClock::time_point(Nanoseconds(static_cast<int64_t>(waiting_[at].handle))));
    }
    const int64_t time = now_ns();
    size_t end = at;
    while (end < waiting_.size() && static_cast<int64_t>(waiting_[end].handle) <= time) ++end;
    enqueue(at, end);
    at = end;
    decide_one();
  }
  decide_all();
}

void Player::Work::enqueue(size_t begin, size_t end) {
  if (begin == end) return;
  queued_ += end - begin;
  // Pods that are gated or of no profile are reported, and do not wait.
  session_.scheduler().enqueue(std::span(waiting_).subspan(begin, end - begin), report_);
}

bool Player::Work::decide_one() {
  const uint64_t allocations = options_.allocations != nullptr ? options_.allocations() : 0;
  const auto begin = options_.trace != nullptr ? SteadyClock::now() : SteadyClock::time_point();
  const uint64_t before = cycles();
  if (!session_.scheduler().schedule_next(report_)) return false;
  const uint64_t after = cycles();
  --queued_;
  ++tried_;
  if (tried_ % kDecisionsPerProgress == 0 && options_.progress)
    going_ = options_.progress(tried_) && going_;
  if (!measuring_) return true;
  if (options_.allocations != nullptr) allocations_ += options_.allocations() - allocations;
  recorder_.decided(after - before);
  if (options_.trace != nullptr)
    options_.trace->cycle(namespace_, name_, outcome_, begin, SteadyClock::now());
  if (recorder_.due()) observe();
  return true;
}

void Player::Work::decide_all() {
  while (going_ && decide_one()) {
  }
  flush();
}

void Player::Work::flush() {
  const auto begin = SteadyClock::now();
  session_.scheduler().flush(report_);
  const size_t bound = bound_.bound();
  bound_.forget();
  if (measuring_ && options_.trace != nullptr && bound != 0)
    options_.trace->bindings(bound, begin, SteadyClock::now());
}

void Player::Work::observe() {
  const bool running = watch_.running();
  const double seconds = watch_.seconds();
  if (!by_wall_clock()) watch_.pause();
  recorder_.sample(seconds, queued_);
  if (running) watch_.resume();
}

void Player::Work::on_result(const cycle::PodResult& result) {
  const bool in_queue =
      result.outcome == cycle::PodOutcome::kGated || result.outcome == cycle::PodOutcome::kIgnored;
  if (in_queue) --queued_;
  if (result.outcome == cycle::PodOutcome::kScheduled) bound_.decided(result.pod->handle);
  if (measuring_) recorder_.result(result);
  if (options_.trace == nullptr) return;
  outcome_ = cli::outcome_name(result.outcome);
  namespace_ = session_.cluster().text(result.pod->namespace_name);
  name_ = session_.cluster().text(result.pod->name);
}

void Player::Work::set_measuring(bool measuring) {
  if (measuring == measuring_) return;
  flush();
  measuring_ = measuring;
  bound_.measure(measuring ? &queue_to_bound_ : nullptr);
  if (measuring) {
    if (!measured_) m_.pods_before = session_.cluster().placed_pods();
    measured_ = true;
    hook_costs_.begin();
    cpu_ = cpu_seconds();
    memory_at_begin_ = resident_bytes();
    observe();
    if (by_wall_clock()) watch_.resume();
  } else {
    watch_.pause();
    hook_costs_.end();
    const CpuSeconds cpu = cpu_seconds();
    m_.user_seconds += cpu.user - cpu_.user;
    m_.system_seconds += cpu.system - cpu_.system;
    const uint64_t memory = resident_bytes();
    if (memory > memory_at_begin_) memory_grown_ += memory - memory_at_begin_;
  }
  if (options_.trace != nullptr) log_calls(measuring);
}

void Player::Work::log_calls(bool yes) {
  session_.worker().log_calls(yes ? logs_[0] : nullptr);
  const auto& others = session_.scheduler().other_workers();
  for (size_t i = 0; i < others.size(); ++i) others[i]->log_calls(yes ? logs_[i + 1] : nullptr);
}

Player::Player(const PlayOptions& options, cycle::Plugins& plugins)
    : work_(std::make_unique<Work>(options, plugins)) {}

Player::~Player() = default;

Measurement Player::play(loadgen::Load& load) { return work_->play(load); }

const host::HookTable& Player::hooks() const { return work_->hooks(); }

}  // namespace berth::bench
