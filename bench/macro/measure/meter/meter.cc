#include "bench/macro/measure/meter/meter.h"

#include <chrono>
#include <utility>
#include <variant>

#include "bench/macro/measure/figures/quality.h"
#include "bench/macro/run/process_usage.h"
#include "engine/runtime/report.h"

namespace berth::bench {

Meter::Meter(runtime::Core& core, const Means& means)
    : core_(core),
      recorder_(core),
      lives_(core),
      hook_costs_(core),
      work_(means.clock, means.all_time),
      counters_(means.allocations),
      kinds_(core),
      waits_(means.clock),
      trace_(core, means.trace),
      growth_(core) {}

void Meter::switch_on() {
  if (on_) return;
  if (!was_on_) {
    // The first sample looks at rows.
    core_.snapshot();
    m_.pods_before = core_.cluster().placed_pods();
    sample(0);
  }
  on_ = was_on_ = true;
  kinds_.begin();
  hook_costs_.begin();
  growth_.begin();
  trace_.begin();
  work_.begin();
}

void Meter::switch_off(uint64_t waiting) {
  if (!on_) return;
  work_.end();
  on_ = false;
  hook_costs_.end();
  growth_.end();
  recorder_.latest(work_.seconds(), waiting, state());
  trace_.end();
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

void Meter::pods_are_made(std::span<const model::PodId> pods) {
  for (const model::PodId pod : pods) made_[pod.handle()] = waits_.now();
  pods_come(pods);
}

void Meter::decision_begins() {
  if (!on_) return;
  trace_.decision_begins();
  counters_.begin();
}

void Meter::decision_ended(uint64_t waiting) {
  if (!on_) return;
  const uint64_t cycles = counters_.end();
  recorder_.decided(cycles, kinds_.kind());
  trace_.decision_ended();
  if (recorder_.due()) sample(waiting);
}

void Meter::sample(uint64_t waiting) {
  const double seconds = work_.seconds();
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
                   if (on_) bound(of.pod);
                 },
                 [&](const Evicted&) {
                   if (on_) lives_.evicted();
                 },
                 [&](const Deleted& of) {
                   if (!made_.empty()) made_.erase(of.pod.handle());
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
  kinds_.decided(pod.pod_template);
  if (!on_) return false;
  lives_.try_ends(id, outcome);
  trace_.decided(pod, outcome);
  return true;
}

void Meter::bound(model::PodId id) {
  const auto made = made_.find(id.handle());
  waits_.bound(made == made_.end() ? core_.cluster().pod(id).created_at : made->second);
  lives_.bound(id);
}

void Meter::binding_begins() {
  waits_.begin();
  trace_.binding_begins();
  counters_.binding_begins();
}

void Meter::binding_ends() {
  waits_.end();
  trace_.binding_ended(waits_.batch());
  counters_.binding_ends();
}

Measurement Meter::give() {
  m_.nodes = core_.cluster().nodes().rows();
  recorder_.give(m_);
  lives_.give(m_);
  growth_.give(m_);
  work_.give(m_);
  counters_.give(m_);
  m_.queue_to_bound = Times{waits_.nanoseconds(), 1e-9};
  m_.hooks = hook_costs_.of(m_.decisions);
  for (const auto& [plugin, metrics] : core_.metrics().plugins()) {
    uint32_t handle = 0;
    for (const auto& [kind, name, help] : metrics->metrics())
      m_.metrics.push_back({plugin, name, help, kind == host::PluginMetrics::Kind::kCounter,
                            metrics->value(++handle)});
  }
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
  m_.trace_events_dropped = trace_.dropped();
  return std::move(m_);
}

}  // namespace berth::bench
