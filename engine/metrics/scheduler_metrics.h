#pragma once

// kube-scheduler's metrics of a core, in Prometheus' text format. docs/metrics.md lists those that
// are given, and why others are not: a metric that Berth does not know is absent, not zero.
//
//   SchedulerMetrics metrics(core);     // and CoreOptions named it as the watch of decisions
//   ... metrics.take(report) for each report of the core ...
//   metrics.refresh();                  // where the core rests
//   text = metrics.collect();           // any thread
//
// Labels come from the configuration, from plugins and from kinds of events, never from pods, so
// the number of series is bounded.
//
// Cost of a decision with a node: some 15 readings of the machine's clock, and as many locks that
// only a scrape contends for. Calls of plugins are timed in one decision of ten.

#include <prometheus/registry.h>

#include <string>
#include <variant>

#include "engine/framework/decision/decision_watch.h"
#include "engine/metrics/parts/attempt_metrics.h"
#include "engine/metrics/parts/core_metrics.h"
#include "engine/metrics/parts/timing_metrics.h"

namespace berth::metrics {

// Belongs to the core's thread, but for collect().
class SchedulerMetrics final : public framework::DecisionWatch {
 public:
  // The core outlives the object, and has no other timekeeper.
  explicit SchedulerMetrics(runtime::Core& core) : SchedulerMetrics(core, steady_time) {}
  // For tests: reads the machine's time there, on any thread.
  SchedulerMetrics(runtime::Core& core, MachineClock clock);

  // To be called with each report of the core.
  void take(const runtime::Report& report) {
    attempts_.take(report);
    if (std::holds_alternative<runtime::BindingEnds>(report)) timing_.take_binding_calls();
  }
  // Reads sizes and counts of the core; see CoreMetrics::refresh. Call it before a scrape.
  void refresh() {
    core_.refresh(attempts_.binding_cycles());
    timing_.take_calls();
  }

  // Prometheus' text format, version 0.0.4: what was taken so far, and what the latest refresh()
  // read. Any thread.
  std::string collect() const;
  // The times that the core tells of.
  runtime::Timekeeper& timing() { return timing_; }

  // Of decisions.
  void begins(const model::PodRecord&) override {
    timing_.take_calls();
    attempts_.begins();
  }
  void decided(const framework::Decider&, const framework::Decision& decision) override {
    if (decision.outcome == framework::Outcome::kScheduled) attempts_.chosen();
  }

 private:
  static Time steady_time();

  prometheus::Registry registry_;
  AttemptMetrics attempts_;
  CoreMetrics core_;
  TimingMetrics timing_;
};

}  // namespace berth::metrics
