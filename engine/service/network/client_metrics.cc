#include "engine/service/network/client_metrics.h"

#include "engine/metrics/machine_clock.h"
#include "engine/metrics/text.h"

namespace berth::service {
namespace {

prometheus::Labels labels_of(kube::Method method, const std::string& host) {
  return {{"verb", std::string(kube::method_name(method))}, {"host", host}};
}

}  // namespace

ClientMetrics::ClientMetrics()
    : requests_(metrics::families::requests(registry_)),
      durations_(metrics::families::request_duration(registry_)),
      waits_(metrics::families::rate_limiter_duration(registry_)),
      dropped_(metrics::families::events_dropped(registry_).Add({})),
      leads_(metrics::families::leader_status(registry_)) {}

void ClientMetrics::ended(kube::Method method, const std::string& host, const kube::Answer& answer,
                          std::optional<Time> took) {
  const bool answered = answer.fate == kube::Answer::Fate::kAnswered;
  const MutexLock lock(mutex_);
  prometheus::Counter*& count = known_requests_[{method, answered ? answer.status : 0, host}];
  if (count == nullptr)
    count = &requests_.Add({{"code", answered ? std::to_string(answer.status) : "<error>"},
                            {"method", std::string(kube::method_name(method))},
                            {"host", host}});
  count->Increment();
  if (!took) return;
  prometheus::Histogram*& duration = known_durations_[{method, 0, host}];
  if (duration == nullptr)
    duration = &durations_.Add(labels_of(method, host), metrics::request_buckets());
  duration->Observe(metrics::seconds(*took));
}

void ClientMetrics::waited(kube::Method method, const std::string& host, Time time) {
  const MutexLock lock(mutex_);
  prometheus::Histogram*& wait = known_waits_[{method, 0, host}];
  if (wait == nullptr) wait = &waits_.Add(labels_of(method, host), metrics::request_buckets());
  wait->Observe(metrics::seconds(time));
}

void ClientMetrics::events_dropped(uint64_t events) {
  dropped_.Increment(static_cast<double>(events) - dropped_.Value());
}

void ClientMetrics::leads(const std::string& lease, bool yes) {
  leads_.Add({{"name", lease}}).Set(yes ? 1 : 0);
}

std::string ClientMetrics::collect() const { return metrics::to_text(registry_.Collect()); }

}  // namespace berth::service
