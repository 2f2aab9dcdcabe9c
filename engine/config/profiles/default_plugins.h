#pragma once

// The default plugins of kube-scheduler v1.34.1 and those that it once had. No other file of the
// engine knows a plugin by name.

#include <optional>
#include <string_view>

#include "engine/config/config.h"

namespace berth::config {

// The `multiPoint` set that every profile starts from: kube-scheduler's order and weights, with the
// features that are on by default in v1.34 (DynamicResourceAllocation among them). Every entry is
// from_default.
PluginSet default_multi_point();

bool is_default_plugin(std::string_view plugin);

// Is it a default plugin with arguments, so that `<name>Args` is a kind of
// kubescheduler.config.k8s.io/v1?
bool has_args_kind(std::string_view plugin);

// Is it one of kube-scheduler's, of now or of earlier versions, that comes with this program? The
// earlier ones are off by default.
bool is_kubes_plugin(std::string_view plugin);

// The weight of a score plugin that is enabled without one.
int32_t weight_if_not_given(std::string_view plugin);

// What has taken the place of a plugin of earlier versions that does not come with this program.
std::optional<std::string_view> replacement_of(std::string_view plugin);

// Is it one of those that kube-scheduler's validation refuses to enable or to configure, whoever
// might have brought a plugin of that name?
bool is_forbidden_plugin(std::string_view plugin);

}  // namespace berth::config
