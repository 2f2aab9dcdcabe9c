#pragma once

#include "engine/config/config.h"

namespace berth::config {

// Lays a configured set over a default one by kube-scheduler's rules:
// - A default plugin that `configured` disables, by name or by "*", goes. Enabling it there as well
// brings
//   it back, in the place that its entry has in `configured`.
// - A default plugin that `configured` enables stays where it is and takes the configured entry (of
//   several the last), an unset weight included.
// - What else `configured` enables follows in its order. Doubled names stay doubled: expanding the
// profile
//   refuses them.
// The disabled names are those of `configured`, then those of `defaults`; their weights are
// dropped.
PluginSet merge_plugin_set(const PluginSet& defaults, const PluginSet& configured);

}  // namespace berth::config
