#pragma once

// The answers of the secure port about a service. The threads that know set it, the port's reads
// it.

#include <atomic>
#include <string>

#include "engine/config/config.h"
#include "engine/metrics/scheduler_metrics.h"
#include "engine/service/endpoint/answers.h"
#include "engine/service/network/client_metrics.h"

namespace berth::cli {

class ServiceAnswers final : public service::Answers {
 public:
  // `metrics` and `client` outlive it.
  ServiceAnswers(const metrics::SchedulerMetrics& metrics, const service::ClientMetrics& client,
                 const config::Configuration& configuration);

  // Any thread.
  void set_synced() { synced_ = true; }
  void set_healthy(bool healthy) { healthy_ = healthy; }

  std::string metrics() override { return client_.collect() + metrics_.collect(); }
  std::string configuration() override { return configuration_; }
  std::vector<service::Check> checks() const override;

 private:
  const metrics::SchedulerMetrics& metrics_;
  const service::ClientMetrics& client_;
  const std::string configuration_;
  std::atomic<bool> synced_ = false;
  std::atomic<bool> healthy_ = true;
};

}  // namespace berth::cli
