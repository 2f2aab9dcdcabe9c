#pragma once

// The host as a plugin sees it in its own process: tables whose functions ask the engine through
// the lane of the thread. On a thread that serves no lane they return their failure value: the ABI
// allows no plugin to call them there.

#include <vector>

#include "berth/abi/config.h"
#include "berth/abi/host.h"
#include "berth/abi/numbers.h"
#include "engine/isolation/child/own_services.h"

namespace berth::isolation {

// The berth_host of one instance. Must not be moved.
class PluginHost {
 public:
  PluginHost();
  PluginHost(const PluginHost&) = delete;
  PluginHost& operator=(const PluginHost&) = delete;
  const berth_host* host() const { return &host_; }

  // The plugin's metrics, by handle - 1. Any thread changes them; the engine hears of it with the
  // end of a call.
  MetricCells& metrics() { return metrics_; }
  void take_metrics(std::vector<MetricChange>& out) { metrics_.take(out); }

 private:
  friend struct HostFunctions;
  berth_host host_;
  berth_log_service log_;
  MetricCells metrics_;
};

// The arguments that `validate` or `init` reads.
const berth_config* plugin_config();
// The sink of a call of `numbers`.
const berth_numbers_sink* plugin_numbers_sink();

// The table of a service; null: this build does not know it. All but the log's.
const void* service_table(berth_string id);

}  // namespace berth::isolation
