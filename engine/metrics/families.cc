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
Buckets point_buckets() { return exponential_buckets(0.0001, 2, 12); }
Buckets event_buckets() { return exponential_buckets(0.0001, 2, 12); }
Buckets plugin_buckets() { return exponential_buckets(0.00001, 1.5, 20); }
Buckets batch_buckets() { return exponential_buckets(0.00001, 2, 12); }
Buckets request_buckets() { return {0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60}; }

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

Counters& scheduled_after_flush(prometheus::Registry& registry) {
  return counters(registry, "scheduler_pod_scheduled_after_flush_total",
                  "Pods that are bound by an attempt that no event brought, but the time for which "
                  "they had waited. Hints that miss events make them many.");
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

Histograms& point_duration(prometheus::Registry& registry) {
  return histograms(registry, "scheduler_framework_extension_point_duration_seconds",
                    "Time of the machine at an extension point, for one pod: all plugins, and all "
                    "nodes. At PreEnqueue, PreBind, Bind and PostBind that of the pods that are "
                    "asked about together.");
}
Histograms& plugin_duration(prometheus::Registry& registry) {
  return histograms(registry, "scheduler_plugin_execution_duration_seconds",
                    "Time of the machine in one call of a plugin, of one decision in ten. A call "
                    "may be about many nodes or pods, and answers that are kept need no call.");
}
Histograms& event_duration(prometheus::Registry& registry) {
  return histograms(registry, "scheduler_event_handling_duration_seconds",
                    "Time of the machine until the cluster and the queue know an event.");
}
Histograms& permit_wait(prometheus::Registry& registry) {
  return histograms(
      registry, "scheduler_permit_wait_duration_seconds",
      "Time that a pod waited in Permit, by the clock of the run, until it was allowed "
      "(Success) or refused (Unschedulable).");
}

Counters& batch_attempts(prometheus::Registry& registry) {
  return counters(
      registry, "scheduler_batch_attempts_total",
      "Pods by what a batch of equal pods did for them: it named no node (no_hint), its "
      "node was taken (hint_used), or another one was (hint_not_used).");
}
Counters& batch_flushes(prometheus::Registry& registry) {
  return counters(
      registry, "scheduler_batch_cache_flushed_total",
      "Pods for which a batch could not be used, or that left none for the next pod, by "
      "reason.");
}
Histograms& node_hint_duration(prometheus::Registry& registry) {
  return histograms(registry, "scheduler_get_node_hint_duration_seconds",
                    "Time of the machine until it is known whether a batch names a node.");
}
Histograms& store_duration(prometheus::Registry& registry) {
  return histograms(
      registry, "scheduler_store_schedule_results_duration_seconds",
      "Time of the machine to keep the nodes that a decision scored for the next pod.");
}

Counters& requests(prometheus::Registry& registry) {
  return counters(registry, "rest_client_requests_total",
                  "Requests to an API server, each time that they were sent, by the status of the "
                  "answer; <error>: none came. A watch counts when it ends.");
}
Histograms& request_duration(prometheus::Registry& registry) {
  return histograms(registry, "rest_client_request_duration_seconds",
                    "Time until the whole answer to a request came, watches excepted.");
}
Histograms& rate_limiter_duration(prometheus::Registry& registry) {
  return histograms(registry, "rest_client_rate_limiter_duration_seconds",
                    "Time that a request waited because of the limits of requests in a second.");
}
Counters& events_dropped(prometheus::Registry& registry) {
  return counters(registry, "berth_events_dropped_total",
                  "Events that are not at the API server: too many waited, or it refused them.");
}
Gauges& leader_status(prometheus::Registry& registry) {
  return gauges(registry, "leader_election_master_status",
                "1 if this process holds the lease of this name, else 0.");
}

}  // namespace families
}  // namespace berth::metrics
