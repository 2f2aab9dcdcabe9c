#pragma once

#include "engine/config/config.h"

namespace berth::config {

// Makes the plugin that checks resources ignore those that an extender checks in its place
// (managedResources with ignoredByScheduler): in all profiles they replace the plugin's own
// ignoredResources. Source: kube-scheduler scheduler.go buildExtenders.
void ignore_managed_resources(Configuration& configuration);

}  // namespace berth::config
