#pragma once

// The default plugins of kube-scheduler v1.34.1 and the names that configurations of v1 may not use
// any more. No other file of the engine knows a plugin by name.

#include <string_view>

#include "engine/config/config.h"

namespace berth::config {

// The `multiPoint` set that every profile starts from: kube-scheduler's order and weights, with the
// features that are on by default in v1.34 (DynamicResourceAllocation among them). Every entry is
// from_default.
PluginSet default_multi_point();

// Is it a default plugin with arguments, so that `<name>Args` is a kind of
// kubescheduler.config.k8s.io/v1?
bool has_args_kind(std::string_view plugin);

// Is it a plugin that was taken out before v1, so that enabling or configuring it is an error?
bool is_removed_plugin(std::string_view plugin);

}  // namespace berth::config
