#include "bench/macro/measure/meter.h"

#include <algorithm>
#include <utility>

#include "bench/macro/measure/quality.h"
#include "engine/cli/codes.h"

namespace berth::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Below these a page more or less would be much of the figure.
constexpr uint32_t kFewestNodesForBytes = 1000;
constexpr int64_t kFewestPodsForBytes = 10'000;

}  // namespace

Meter::Meter(cli::Session& session, const Means& means)
    : session_(session),
      means_(means),
      recorder_(session.cluster()),
      hook_costs_(session),
      watch_(means.clock) {
  if (means_.trace == nullptr) return;
  logs_.push_back(means_.trace->add_thread());
  for (size_t i = 0; i < session_.scheduler().other_workers().size(); ++i)
    logs_.push_back(means_.trace->add_thread());
}

void Meter::switch_on() {
  if (on_) return;
  if (!was_on_) {
    // The first sample looks at rows.
    session_.cluster().order_rows();
    m_.pods_before = session_.cluster().placed_pods();
    sample(0);
  }
  on_ = was_on_ = true;
  hook_costs_.begin();
  cpu_begun_ = cpu_seconds();
  bytes_begun_ = static_cast<int64_t>(resident_bytes());
  pods_begun_ = static_cast<int64_t>(session_.cluster().placed_pods());
  if (means_.trace != nullptr) log_calls(true);
  if (means_.all_time) watch_.resume();
}

void Meter::switch_off(uint64_t waiting) {
  if (!on_) return;
  watch_.pause();
  on_ = false;
  hook_costs_.end();
  const CpuSeconds cpu = cpu_seconds();
  m_.user_seconds += cpu.user - cpu_begun_.user;
  m_.system_seconds += cpu.system - cpu_begun_.system;
  bytes_grown_ += static_cast<int64_t>(resident_bytes()) - bytes_begun_;
  pods_grown_ += static_cast<int64_t>(session_.cluster().placed_pods()) - pods_begun_;
  recorder_.latest(watch_.seconds(), waiting);
  if (means_.trace != nullptr) log_calls(false);
}

void Meter::log_calls(bool yes) {
  session_.worker().log_calls(yes ? logs_[0] : nullptr);
  const auto& others = session_.scheduler().other_workers();
  for (size_t i = 0; i < others.size(); ++i) others[i]->log_calls(yes ? logs_[i + 1] : nullptr);
}

void Meter::nodes_come() {
  if (bytes_before_nodes_ < 0) bytes_before_nodes_ = static_cast<int64_t>(resident_bytes());
}

void Meter::nodes_came() {
  const uint32_t nodes = session_.cluster().nodes().rows();
  if (nodes < kFewestNodesForBytes || session_.cluster().placed_pods() != 0 || was_on_) return;
  const int64_t grown = static_cast<int64_t>(resident_bytes()) - bytes_before_nodes_;
  if (grown > 0) m_.bytes_per_node = static_cast<double>(grown) / nodes;
}

void Meter::pods_come(std::span<const model::PodRecord> pods) {
  if (!on_) return;
  for (const model::PodRecord& pod : pods) {
    if (pod.pod_template >= shapes_.size()) shapes_.resize(pod.pod_template + 1);
    shapes_[pod.pod_template] = true;
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
  recorder_.decided(now.cycles - decision_begun_.cycles - bound_meanwhile_.cycles);
  allocations_ += now.allocations - decision_begun_.allocations - bound_meanwhile_.allocations;
  if (means_.trace != nullptr)
    means_.trace->cycle(namespace_, name_, outcome_, decision_time_, SteadyClock::now());
  if (recorder_.due()) sample(waiting);
}

void Meter::sample(uint64_t waiting) {
  const double seconds = watch_.seconds();
  aside([&] { recorder_.sample(seconds, waiting); });
}

void Meter::result(const cycle::PodResult& result) {
  if (!on_) return;
  recorder_.result(result);
  // Pods that are gated, or whose binding failed, are not those that are being decided.
  if (means_.trace == nullptr || result.decision == nullptr) return;
  outcome_ = cli::outcome_name(result.outcome);
  namespace_ = session_.cluster().text(result.pod->namespace_name);
  name_ = session_.cluster().text(result.pod->name);
}

void Meter::binding_begins() {
  if (!on_) return;
  if (means_.trace != nullptr) binding_time_ = SteadyClock::now();
  binding_begun_ = counters();
}

void Meter::binding_ended(std::span<const uint64_t> came) {
  if (!on_) return;
  const auto time = static_cast<uint64_t>(means_.clock.now().count());
  for (const uint64_t begun : came) queue_to_bound_.record(time > begun ? time - begun : 0);
  if (means_.trace != nullptr)
    means_.trace->bindings(came.size(), binding_time_, SteadyClock::now());
  const Counters now = counters();
  bound_meanwhile_.cycles += now.cycles - binding_begun_.cycles;
  bound_meanwhile_.allocations += now.allocations - binding_begun_.allocations;
}

Measurement Meter::give() {
  model::Cluster& cluster = session_.cluster();
  m_.nodes = cluster.nodes().rows();
  m_.elapsed_seconds = watch_.seconds();
  recorder_.give(m_);
  m_.decision.unit = rate_.seconds();
  m_.queue_to_bound = Times{queue_to_bound_, 1e-9};
  if (means_.allocations != nullptr && m_.decisions != 0)
    m_.allocations_per_decision =
        static_cast<double>(allocations_) / static_cast<double>(m_.decisions);
  m_.hooks = hook_costs_.of(m_.decisions);
  if (pods_grown_ >= kFewestPodsForBytes && bytes_grown_ > 0)
    m_.bytes_per_pod = static_cast<double>(bytes_grown_) / static_cast<double>(pods_grown_);
  m_.decision_hash = session_.scheduler().hash().to_string();
  m_.plugins_missing = session_.assembly().missing;
  m_.points_not_called = session_.assembly().not_called;
  m_.peak_memory_bytes = peak_resident_bytes();
  std::vector<model::TemplateId> shapes;
  for (model::TemplateId id = 0; id < shapes_.size(); ++id)
    if (shapes_[id]) shapes.push_back(id);
  cluster.order_rows();
  m_.quality = quality(cluster, shapes);
  if (means_.trace != nullptr) m_.trace_events_dropped = means_.trace->dropped();
  return std::move(m_);
}

}  // namespace berth::bench
