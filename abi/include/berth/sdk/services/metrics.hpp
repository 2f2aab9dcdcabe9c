#pragma once

// Numbers that the summary of a run shows (berth/abi/metrics.h). Since ABI 1.3.

#include <cstdint>
#include <string_view>

#include "berth/abi/metrics.h"
#include "berth/sdk/host.hpp"

namespace berth::sdk {

// A metric. A default-constructed one may only be assigned to.
class Metric : protected Service<berth_metrics_service> {
 protected:
  Metric() = default;
  Metric(Host host, std::string_view name, std::string_view help, bool counts)
      : Service(host, BERTH_METRICS_SERVICE),
        handle_((counts ? table_->counter : table_->gauge)(host_, to_abi(name), to_abi(help))) {
    if (handle_ == 0) throw Failure(concat("the host refuses the metric ", name));
  }

  uint32_t handle_ = 0;
};

class Counter : Metric {
 public:
  Counter() = default;
  // [init] `name`: [a-zA-Z_][a-zA-Z0-9_]*. Throws Failure if the host refuses it; the log says why.
  Counter(Host host, std::string_view name, std::string_view help)
      : Metric(host, name, help, true) {}
  // [any] Once for all positions of a call, rather than once for each.
  void add(uint64_t delta = 1) const { table_->add(host_, handle_, delta); }
};

class Gauge : Metric {
 public:
  Gauge() = default;
  Gauge(Host host, std::string_view name, std::string_view help)
      : Metric(host, name, help, false) {}
  void set(int64_t value) const { table_->set(host_, handle_, value); }  // [any]
};

}  // namespace berth::sdk
