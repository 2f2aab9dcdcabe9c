#pragma once

// The host as one plugin instance sees it: berth_host and its services (berth/abi/host.h).

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/host.h"
#include "engine/base/assert.h"
#include "engine/base/rules/rules.h"
#include "engine/host/calls/call_context.h"
#include "engine/host/instance/config_tree.h"
#include "engine/host/instance/services/model_services.h"
#include "engine/host/instance/services/trial_services.h"
#include "engine/host/instance/services/waiting_service.h"
#include "engine/host/run/external.h"
#include "engine/host/run/metrics.h"
#include "engine/host/run/moment.h"
#include "engine/host/run/signing_service.h"
#include "engine/host/run/worker.h"

namespace berth::host {

// Receives the bindings that plugins make. Called on the binding thread.
class BindingServices {
 public:
  virtual ~BindingServices() = default;
  // Writes one binding per position: pod handle, string id of the node's name. Both have equal
  // lengths. False: a binding is not possible; those before it may have been written. The plugin
  // then gets BERTH_ERROR.
  [[nodiscard]] virtual bool write(std::span<const uint64_t> pods,
                                   std::span<const uint32_t> nodes) = 0;
};

// Receives log messages of plugins. Thread-safe.
class LogServices {
 public:
  virtual ~LogServices() = default;
  virtual uint32_t level() const = 0;  // a BERTH_LOG_ level; messages of a higher level are dropped
  virtual void write(uint32_t level, std::string_view plugin, std::string_view text) = 0;
};

// Writes to stderr through spdlog.
LogServices& standard_log();

// The services that plugin instances use. All of them outlive the instances.
struct Environment {
  ModelServices& model;
  BindingServices* bindings;  // null: the service is not offered
  LogServices& log;
  HookTable& hooks;
  const Trials* trials = nullptr;    // null: what-ifs and threads are not offered
  const Waiting* waiting = nullptr;  // null: the service is not offered
  // Of the thread that owns the model; shows the watchdog that a state is being released. Null:
  // each release sets an alarm of its own.
  CallContext* cycle = nullptr;
  uint32_t threads = 1;            // that decide
  const Moment* moment = nullptr;  // null: clock and random numbers are not offered
  Metrics* metrics = nullptr;      // null: the service is not offered
  External* external = nullptr;    // null: the service is not offered
  Rules rules{};
  std::string profile{};  // its schedulerName
};

// The ids of all services that a host of this build may offer.
std::span<const std::string_view> known_services();

// This program and its version, as plugins see them in berth_host.name: "Berth 0.1.0".
std::string_view host_name();

// The berth_host of one instance. Must not be moved: the plugin holds its address.
class HostServices {
 public:
  // `plugin`: the name for log messages. The services in `environment` outlive the object.
  HostServices(std::string plugin, const Environment& environment);
  ~HostServices();
  HostServices(const HostServices&) = delete;
  HostServices& operator=(const HostServices&) = delete;

  const berth_host* host() const { return &host_; }

  // The services behind the pointer that a plugin passes to a service.
  static const HostServices& of(const berth_host* host) {
    return *static_cast<const HostServices*>(host->context);
  }
  const std::string& plugin() const { return plugin_; }
  std::string_view profile() const { return profile_; }
  const Environment& environment() const { return environment_; }

  // The ids of the services that the plugin asked for and that are not offered, each once, in the
  // order of the requests; for the message if init fails.
  const std::vector<std::string>& missing() const { return missing_; }
  // The same of those that are offered.
  const std::vector<std::string>& found() const { return found_; }

  // The moment of calls on this thread. Precondition: the environment has one.
  const Moment& moment() const {
    const Moment* of_thread = MomentScope::current();
    BERTH_ASSERT(of_thread != nullptr || environment_.moment != nullptr);
    return of_thread != nullptr ? *of_thread : *environment_.moment;
  }
  // The state of the plugin's random numbers at that moment (berth/abi/clock.h).
  uint64_t random_state(const Moment& moment) const { return mix(random_key_ ^ moment.decision); }
  // Null: the plugin did not ask for the service.
  PluginMetrics* metrics() const { return metrics_; }
  // The same of its epochs.
  InstanceEpochs* epochs() const { return epochs_; }
  // By what the plugin says that it decides. Null: it said nothing.
  const Signing* signing() const { return signing_ && signing_->said ? &signing_->all : nullptr; }
  // Adds what it says. Precondition: it asked for the service.
  void say(const Signing& more) const {
    signing_->said = true;
    signing_->all.add(more);
  }
  // Of the calling thread, which runs a function of the instance.
  Scratch& scratch() const { return scratch_[Worker::current()]; }

  // Sets the arguments that init is reading, for services that read parts of them; null after init.
  void set_arguments(ConfigTree* arguments) { arguments_ = arguments; }

 private:
  friend struct ServiceFunctions;

  struct SaidSigning {
    bool said = false;
    Signing all;
  };

  const void* service(std::string_view id);
  const void* offered(std::string_view id);
  const void* service_of_run(std::string_view id);

  const std::string plugin_;
  const std::string profile_;  // what host_ shows
  const Environment environment_;
  berth_host host_;
  berth_log_service log_;
  std::vector<std::string> missing_, found_;
  ConfigTree* arguments_ = nullptr;
  uint64_t random_key_ = 0;
  PluginMetrics* metrics_ = nullptr;
  InstanceEpochs* epochs_ = nullptr;
  std::unique_ptr<SaidSigning> signing_;  // null: the plugin did not ask for the service
  std::unique_ptr<Scratch[]> scratch_;    // by Worker; null: the plugin did not ask for the service
};

}  // namespace berth::host
