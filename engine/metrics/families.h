#pragma once

// The families of metrics that Berth gives: names, labels, types and buckets are those of
// kube-scheduler, so that its dashboards and alerts work. Source: kube-scheduler v1.34.1 and
// v1.36.2, pkg/scheduler/metrics/metrics.go; of clients, k8s.io/component-base v0.34.1,
// metrics/prometheus/restclient and clientgo/leaderelection.
//
// Each function makes the family in the registry. Call it once for each registry.

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <vector>

namespace berth::metrics {

using Buckets = prometheus::Histogram::BucketBoundaries;
using Counters = prometheus::Family<prometheus::Counter>;
using Gauges = prometheus::Family<prometheus::Gauge>;
using Histograms = prometheus::Family<prometheus::Histogram>;

// `count` bounds, each `factor` times the one before. Rounded as Prometheus' client in Go does.
Buckets exponential_buckets(double first, double factor, int count);

namespace families {

// Of attempts and pods. In parentheses: labels.
Counters& schedule_attempts(prometheus::Registry& registry);   // (result, profile)
Histograms& attempt_duration(prometheus::Registry& registry);  // (result, profile)
Histograms& algorithm_duration(prometheus::Registry& registry);
Histograms& sli_duration(prometheus::Registry& registry);  // (attempts)
Histograms& pod_attempts(prometheus::Registry& registry);
Counters& preemption_attempts(prometheus::Registry& registry);
Histograms& preemption_victims(prometheus::Registry& registry);
Counters& scheduled_after_flush(prometheus::Registry& registry);  // from 1.36 on

// Of what the core knows.
Counters& incoming_pods(prometheus::Registry& registry);       // (queue, event)
Gauges& pending_pods(prometheus::Registry& registry);          // (queue)
Gauges& unschedulable_pods(prometheus::Registry& registry);    // (plugin, profile)
Gauges& cache_size(prometheus::Registry& registry);            // (type)
Gauges& goroutines(prometheus::Registry& registry);            // (operation)
Counters& plugin_evaluations(prometheus::Registry& registry);  // (plugin, extension_point, profile)

// Of how long its work takes.
Histograms& point_duration(prometheus::Registry& registry);   // (extension_point, status, profile)
Histograms& plugin_duration(prometheus::Registry& registry);  // (plugin, extension_point, status)
Histograms& event_duration(prometheus::Registry& registry);   // (event)
Histograms& permit_wait(prometheus::Registry& registry);      // (result)

// Of batches, from 1.36 on.
Counters& batch_attempts(prometheus::Registry& registry);        // (profile, result)
Counters& batch_flushes(prometheus::Registry& registry);         // (profile, reason)
Histograms& node_hint_duration(prometheus::Registry& registry);  // (hinted, profile)
Histograms& store_duration(prometheus::Registry& registry);      // (profile)

// Of a client of an API server.
Counters& requests(prometheus::Registry& registry);                 // (code, method, host)
Histograms& request_duration(prometheus::Registry& registry);       // (verb, host)
Histograms& rate_limiter_duration(prometheus::Registry& registry);  // (verb, host)
Counters& events_dropped(prometheus::Registry& registry);           // no labels
Gauges& leader_status(prometheus::Registry& registry);              // (name)

}  // namespace families

// The bounds of the histograms above, in seconds, attempts and victims.
Buckets attempt_buckets();  // also of the algorithm, and of waits in Permit
Buckets sli_buckets();
Buckets pod_attempts_buckets();
Buckets victims_buckets();
Buckets point_buckets();
Buckets event_buckets();
Buckets plugin_buckets();
Buckets batch_buckets();
Buckets request_buckets();  // also of the rate limiter

}  // namespace berth::metrics
