#pragma once

// The host as a plugin sees it in its own process: tables whose functions ask the engine through
// the lane of the thread. On a thread that serves no lane they return their failure value: the ABI
// allows no plugin to call them there. It allows the log everywhere, which on such a thread goes to
// standard error as the engine's does.

#include <string>
#include <string_view>

#include "berth/abi/host.h"
#include "engine/isolation/child/own_services.h"

namespace berth::isolation {

// The berth_host of one instance. Must not be moved.
class PluginHost {
 public:
  // `plugin`: its name, for the log; outlives the object.
  explicit PluginHost(std::string_view plugin);
  PluginHost(const PluginHost&) = delete;
  PluginHost& operator=(const PluginHost&) = delete;
  const berth_host* host() const { return &host_; }
  // Of the instance, before its `init`.
  void set_profile(std::string_view profile) {
    profile_ = profile;
    host_.profile = {profile_.data(), profile_.size()};
  }

  // The plugin's metrics, by handle - 1. Any thread changes them; the engine hears of it with the
  // end of a call.
  MetricCells& metrics() { return metrics_; }
  EpochCells& epochs() { return epochs_; }

 private:
  static const void* service(const berth_host* host, berth_string id);
  static void write_log(const berth_host* host, uint32_t level, berth_string text);
  static uint32_t shows_log(const berth_host* host, uint32_t level);

  const std::string_view plugin_;
  std::string profile_;
  berth_host host_;
  berth_log_service log_;  // the level is that of the instance, so the table is, too
  MetricCells metrics_;
  EpochCells epochs_;
};

}  // namespace berth::isolation
