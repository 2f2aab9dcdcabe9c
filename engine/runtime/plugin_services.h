#pragma once

// The services that plugins ask, and the counts that the host keeps of their calls. The core owns
// them. They outlive the instances of plugins.

#include "engine/host/calls/call_context.h"
#include "engine/host/instance/services/model_services.h"
#include "engine/host/instance/services/trial_services.h"
#include "engine/host/instance/services/waiting_service.h"
#include "engine/host/run/external.h"
#include "engine/host/run/metrics.h"
#include "engine/host/run/moment.h"
#include "engine/model/cluster/cluster.h"

namespace berth::runtime {

struct PluginServices {
  // `cluster` outlives it.
  explicit PluginServices(model::Cluster& cluster) : model(cluster) {}
  PluginServices(const PluginServices&) = delete;
  PluginServices& operator=(const PluginServices&) = delete;

  host::ModelServices model;
  host::HookTable hooks;
  host::Moment moment;
  host::Metrics metrics;
  host::External external;
  host::Trials trials;
  host::Waiting permits;
  host::CallContext calls;  // of the deciding thread
};

}  // namespace berth::runtime
