#include "engine/metrics/families.h"

namespace berth::metrics {
namespace {

Counters& counters(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}
Gauges& gauges(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
}
Histograms& histograms(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
}

}  // namespace

Buckets exponential_buckets(double first, double factor, int count) {
  Buckets bounds;
  for (double bound = first; count > 0; --count, bound *= factor) bounds.push_back(bound);
  return bounds;
}

Buckets attempt_buckets() { return exponential_buckets(0.001, 2, 15); }
Buckets sli_buckets() { return exponential_buckets(0.01, 2, 20); }
Buckets pod_attempts_buckets() { return exponential_buckets(1, 2, 5); }
Buckets victims_buckets() { return exponential_buckets(1, 2, 7); }

namespace families {

Counters& schedule_attempts(prometheus::Registry& registry) {
  return counters(
      registry, "scheduler_schedule_attempts_total",
      "Attempts to schedule a pod, by their end: the pod was bound (scheduled), no node "
      "takes it (unschedulable), or a plugin or the binding failed (error).");
}
Histograms& attempt_duration(prometheus::Registry& registry) {
  return histograms(
      registry, "scheduler_scheduling_attempt_duration_seconds",
      "Time of the machine from the beginning of an attempt until the pod is bound or "
      "goes back to the queue.");
}
Histograms& algorithm_duration(prometheus::Registry& registry) {
  return histograms(registry, "scheduler_scheduling_algorithm_duration_seconds",
                    "Time of the machine from the beginning of an attempt until a node is chosen, "
                    "or it is known that there is none.");
}
Histograms& sli_duration(prometheus::Registry& registry) {
  return histograms(registry, "scheduler_pod_scheduling_sli_duration_seconds",
                    "Time from the first time that a pod is active in the queue until it is bound, "
                    "by the number of its attempts.");
}
Histograms& pod_attempts(prometheus::Registry& registry) {
  return histograms(registry, "scheduler_pod_scheduling_attempts",
                    "Attempts of a pod that is bound.");
}
Counters& preemption_attempts(prometheus::Registry& registry) {
  return counters(registry, "scheduler_preemption_attempts_total",
                  "Attempts in which PostFilter plugins looked for pods that could make room.");
}
Histograms& preemption_victims(prometheus::Registry& registry) {
  return histograms(registry, "scheduler_preemption_victims", "Victims of a preemption.");
}

Counters& incoming_pods(prometheus::Registry& registry) {
  return counters(registry, "scheduler_queue_incoming_pods_total",
                  "Pods that entered a queue, by the event that put them there.");
}
Gauges& pending_pods(prometheus::Registry& registry) {
  return gauges(
      registry, "scheduler_pending_pods",
      "Pods that wait, by queue: tried next (active), backing off (backoff), waiting for an "
      "event (unschedulable), or kept out by PreEnqueue (gated).");
}
Gauges& unschedulable_pods(prometheus::Registry& registry) {
  return gauges(
      registry, "scheduler_unschedulable_pods",
      "Pods that the plugin refused in their latest attempt or at PreEnqueue. A pod counts "
      "for each plugin that refused it.");
}
Gauges& cache_size(prometheus::Registry& registry) {
  return gauges(registry, "scheduler_cache_size",
                "Nodes, pods that count on a node, and those of them that are being bound.");
}
Gauges& goroutines(prometheus::Registry& registry) {
  return gauges(registry, "scheduler_goroutines",
                "Binding cycles under way. Berth has no goroutine for each.");
}
Counters& plugin_evaluations(prometheus::Registry& registry) {
  return counters(
      registry, "scheduler_plugin_evaluation_total",
      "Calls of the plugin at PreFilter, Filter, PreScore or Score. One call may be about "
      "many nodes, and answers that are kept need no call.");
}

}  // namespace families
}  // namespace berth::metrics
