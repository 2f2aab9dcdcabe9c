#pragma once

// client-go's metrics of a client: its requests, and whether it holds the lease; and the events
// that it drops. docs/metrics.md lists them.
//
// Any thread.

#include <prometheus/counter.h>
#include <prometheus/registry.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "engine/base/mutex.h"
#include "engine/base/time.h"
#include "engine/kube/http/http.h"
#include "engine/metrics/families.h"

namespace berth::service {

class ClientMetrics {
 public:
  ClientMetrics();
  ClientMetrics(const ClientMetrics&) = delete;
  ClientMetrics& operator=(const ClientMetrics&) = delete;

  // A request to the host ended with this answer. `took`: nothing is measured of watches.
  void ended(kube::Method method, const std::string& host, const kube::Answer& answer,
             std::optional<Time> took);
  // A request waited so long for the rate limit, and is sent.
  void waited(kube::Method method, const std::string& host, Time time);
  // So many events were dropped so far (kube::EventRecorder).
  void events_dropped(uint64_t events);
  // This process holds the lease of that name, or does not.
  void leads(const std::string& lease, bool yes);

  // Prometheus' text format, version 0.0.4.
  std::string collect() const;

 private:
  prometheus::Registry registry_;
  metrics::Counters& requests_;
  metrics::Histograms& durations_;
  metrics::Histograms& waits_;
  prometheus::Counter& dropped_;
  metrics::Gauges& leads_;

  // The metrics so far, since the registry's way to one takes longer than most of a request: by
  // method, status or 0, and host.
  using Key = std::tuple<kube::Method, int, std::string>;
  Mutex mutex_;
  std::map<Key, prometheus::Counter*> known_requests_ BERTH_GUARDED_BY(mutex_);
  std::map<Key, prometheus::Histogram*> known_durations_ BERTH_GUARDED_BY(mutex_);
  std::map<Key, prometheus::Histogram*> known_waits_ BERTH_GUARDED_BY(mutex_);
};

}  // namespace berth::service
