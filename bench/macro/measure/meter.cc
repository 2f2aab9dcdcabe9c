#include "bench/macro/measure/meter.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "bench/macro/measure/figures/quality.h"
#include "engine/runtime/report.h"

namespace berth::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Below these a page more or less would be much of the figure.
constexpr uint32_t kFewestNodesForBytes = 1000;
constexpr int64_t kFewestPodsForBytes = 10'000;

}  // namespace

Meter::Meter(runtime::Core& core, const Means& means)
    : core_(core),
      means_(means),
      recorder_(core),
      lives_(core),
      hook_costs_(core),
      watch_(means.clock) {
  if (means_.trace == nullptr) return;
  logs_.push_back(means_.trace->add_thread());
  for (size_t i = 0; i < core_.scheduler().decisions().other_calls().size(); ++i)
    logs_.push_back(means_.trace->add_thread());
}

void Meter::switch_on() {
  if (on_) return;
  if (!was_on_) {
    // The first sample looks at rows.
    core_.snapshot();
    m_.pods_before = core_.cluster().placed_pods();
    sample(0);
  }
  on_ = was_on_ = true;
  verified_ = core_.scheduler().decisions().verifications().verified;
  hook_costs_.begin();
  backoffs_begun_ = backoffs();
  cpu_begun_ = cpu_seconds();
  bytes_begun_ = static_cast<int64_t>(resident_bytes());
  pods_begun_ = static_cast<int64_t>(core_.cluster().placed_pods());
  if (means_.trace != nullptr) log_calls(true);
  if (means_.all_time) resume();
}

void Meter::switch_off(uint64_t waiting) {
  if (!on_) return;
  watch_.pause();
  instructions_.pause();
  on_ = false;
  hook_costs_.end();
  const CpuSeconds cpu = cpu_seconds();
  m_.user_seconds += cpu.user - cpu_begun_.user;
  m_.system_seconds += cpu.system - cpu_begun_.system;
  bytes_grown_ += static_cast<int64_t>(resident_bytes()) - bytes_begun_;
  pods_grown_ += static_cast<int64_t>(core_.cluster().placed_pods()) - pods_begun_;
  m_.backoffs += backoffs() - backoffs_begun_;
  recorder_.latest(watch_.seconds(), waiting, state());
  if (means_.trace != nullptr) log_calls(false);
}

void Meter::log_calls(bool yes) {
  core_.calls().log_calls(yes ? logs_[0] : nullptr);
  const auto& others = core_.scheduler().decisions().other_calls();
  for (size_t i = 0; i < others.size(); ++i) others[i]->log_calls(yes ? logs_[i + 1] : nullptr);
}

void Meter::nodes_come() {
  if (bytes_before_nodes_ < 0) bytes_before_nodes_ = static_cast<int64_t>(resident_bytes());
}

void Meter::nodes_came() {
  const uint32_t nodes = core_.cluster().nodes().rows();
  if (nodes < kFewestNodesForBytes || core_.cluster().placed_pods() != 0 || was_on_) return;
  const int64_t grown = static_cast<int64_t>(resident_bytes()) - bytes_before_nodes_;
  if (grown > 0) m_.bytes_per_node = static_cast<double>(grown) / nodes;
}

void Meter::pods_come(std::span<const model::PodId> pods) {
  lives_.come(pods);
  if (!on_) return;
  for (const model::PodId pod : pods) {
    const model::TemplateId shape = core_.cluster().pod(pod).pod_template;
    if (shape >= shapes_.size()) shapes_.resize(shape + 1);
    shapes_[shape] = true;
  }
}

Meter::Counters Meter::counters() const {
  return {means_.allocations != nullptr ? means_.allocations() : 0, cycles()};
}

void Meter::decision_begins() {
  if (!on_) return;
  bound_meanwhile_ = {};
  if (means_.trace != nullptr) decision_time_ = SteadyClock::now();
  decision_begun_ = counters();
}

void Meter::decision_ended(uint64_t waiting) {
  if (!on_) return;
  const Counters now = counters();
  recorder_.decided(now.cycles - decision_begun_.cycles - bound_meanwhile_.cycles, kind());
  allocations_ += now.allocations - decision_begun_.allocations - bound_meanwhile_.allocations;
  if (means_.trace != nullptr)
    means_.trace->cycle(namespace_, name_, outcome_, decision_time_, SteadyClock::now());
  if (recorder_.due()) sample(waiting);
}

// A ranking is made at the second decision of a kind.
Recorder::Kind Meter::kind() {
  constexpr uint8_t kFirst = 2;
  const uint64_t verified = core_.scheduler().decisions().verifications().verified;
  if (verified != verified_) {
    verified_ = verified;
    return Recorder::Kind::kVerified;
  }
  return tried_ <= kFirst ? Recorder::Kind::kFirst : Recorder::Kind::kSteady;
}

// Counts the decisions of the pod's template, measured or not.
void Meter::count_tried(const model::PodRecord& pod) {
  const model::TemplateId id = pod.pod_template;
  if (id >= tried_of_.size()) tried_of_.resize(id + size_t{1});
  if (tried_of_[id] != UINT8_MAX) ++tried_of_[id];
  tried_ = tried_of_[id];
}

void Meter::sample(uint64_t waiting) {
  const double seconds = watch_.seconds();
  aside([&] { recorder_.sample(seconds, waiting, state()); });
}

Recorder::State Meter::state() {
  Recorder::State state;
  const queue::SchedulingQueue& queue = core_.scheduler().queue();
  state.run_seconds = std::chrono::duration<double>(core_.now()).count();
  state.bound = lives_.bound();
  state.preemptions = lives_.preemptions();
  state.victims = lives_.victims();
  for (size_t place = 0; place < queue::kPlaces; ++place)
    state.places[place] = queue.size(static_cast<queue::Place>(place));
  state.permit = core_.scheduler().bindings().permits().size();
  return state;
}

// Pods that entered backoff so far.
uint64_t Meter::backoffs() const {
  uint64_t sum = 0;
  for (const queue::MoveCount& move : core_.scheduler().queue().moves()) sum += move.backoff;
  return sum;
}

// One visit for all, since each pod has several reports.
void Meter::report(const runtime::Report& report) {
  using namespace runtime;
  std::visit(Match{
                 [&](const Scheduled& of) {
                   if (!decided(of.pod, PodOutcome::kScheduled)) return;
                   recorder_.scheduled();
                 },
                 [&](const Refused& of) {
                   if (!decided(of.pod, PodOutcome::kUnschedulable)) return;
                   recorder_.refusal(*of.decision);
                   if (of.decision->nominating == framework::Nominating::kSet) lives_.preempted();
                 },
                 [&](const Failed& of) {
                   if (!decided(of.pod, PodOutcome::kError)) return;
                   recorder_.failure(of.decision->message);
                 },
                 [&](const BindingFailed& of) {
                   if (!on_) return;
                   recorder_.binding_failed(of.message);
                   lives_.ends(of.pod, PodOutcome::kError);
                 },
                 [&](const Gated& of) {
                   if (on_) lives_.ends(of.pod, PodOutcome::kGated);
                 },
                 [&](const Ignored& of) {
                   if (on_) lives_.ends(of.pod, PodOutcome::kIgnored);
                 },
                 [&](const Bound& of) {
                   if (!on_) return;
                   bound_created_.push_back(core_.cluster().pod(of.pod).created_at);
                   lives_.bound(of.pod);
                 },
                 [&](const Evicted&) {
                   if (on_) lives_.evicted();
                 },
                 [&](const BindingBegins&) {
                   if (on_) binding_begins();
                 },
                 [&](const BindingEnds&) {
                   if (on_) binding_ends();
                 },
                 [](const auto&) {},
             },
             report);
}

// Counts a decision with this outcome. False: the meter is off.
bool Meter::decided(model::PodId id, runtime::PodOutcome outcome) {
  const model::PodRecord& pod = core_.cluster().pod(id);
  count_tried(pod);
  if (!on_) return false;
  lives_.try_ends(id, outcome);
  if (means_.trace == nullptr) return true;
  outcome_ = runtime::outcome_name(outcome);
  namespace_ = core_.cluster().text(pod.namespace_name);
  name_ = core_.cluster().text(pod.name);
  return true;
}

void Meter::binding_begins() {
  bound_created_.clear();
  if (means_.trace != nullptr) binding_time_ = SteadyClock::now();
  binding_begun_ = counters();
}

void Meter::binding_ends() {
  const int64_t time = means_.clock.now().count();
  for (const int64_t created : bound_created_)
    queue_to_bound_.record(static_cast<uint64_t>(std::max<int64_t>(time - created, 0)));
  if (means_.trace != nullptr)
    means_.trace->bindings(bound_created_.size(), binding_time_, SteadyClock::now());
  const Counters now = counters();
  bound_meanwhile_.cycles += now.cycles - binding_begun_.cycles;
  bound_meanwhile_.allocations += now.allocations - binding_begun_.allocations;
}

Measurement Meter::give() {
  m_.nodes = core_.cluster().nodes().rows();
  m_.elapsed_seconds = watch_.seconds();
  recorder_.give(m_);
  lives_.give(m_);
  m_.decision.unit = m_.first_decision.unit = m_.steady_decision.unit = rate_.seconds();
  m_.queue_to_bound = Times{queue_to_bound_, 1e-9};
  if (means_.allocations != nullptr && m_.decisions != 0)
    m_.allocations_per_decision =
        static_cast<double>(allocations_) / static_cast<double>(m_.decisions);
  m_.no_instructions = instructions_.problem();
  if (const auto counted = instructions_.count(); counted && m_.decisions != 0)
    m_.instructions_per_decision =
        static_cast<double>(*counted) / static_cast<double>(m_.decisions);
  m_.hooks = hook_costs_.of(m_.decisions);
  for (const auto& [plugin, metrics] : core_.metrics().plugins()) {
    uint32_t handle = 0;
    for (const auto& [kind, name, help] : metrics->metrics())
      m_.metrics.push_back({plugin, name, help, kind == host::PluginMetrics::Kind::kCounter,
                            metrics->value(++handle)});
  }
  if (pods_grown_ >= kFewestPodsForBytes && bytes_grown_ > 0)
    m_.bytes_per_pod = static_cast<double>(bytes_grown_) / static_cast<double>(pods_grown_);
  const framework::KeptRankings rankings = core_.scheduler().decisions().rankings();
  m_.rankings = rankings.count;
  m_.ranking_bytes = rankings.bytes;
  m_.ranking_bytes_limit = rankings.limit;
  m_.rankings_evicted = rankings.evicted;
  m_.rankings_evicted_for_memory = rankings.for_memory;
  m_.rows_off_main = core_.scheduler().decisions().rows_off_main();
  m_.decisions_verified = core_.scheduler().decisions().verifications().verified;
  m_.decisions_not_compared = core_.scheduler().decisions().verifications().not_compared;
  m_.decision_hash = core_.scheduler().decisions().hash().to_string();
  m_.peak_memory_bytes = peak_resident_bytes();
  std::vector<model::TemplateId> shapes;
  for (model::TemplateId id = 0; id < shapes_.size(); ++id)
    if (shapes_[id]) shapes.push_back(id);
  m_.quality = quality(core_.snapshot(), shapes);
  if (means_.trace != nullptr) m_.trace_events_dropped = means_.trace->dropped();
  return std::move(m_);
}

}  // namespace berth::bench
