#pragma once

#include "engine/config/config.h"

namespace berth::config {

// Merges a configured set over a default one by kube-scheduler's rules:
// - A default plugin that `configured` disables, by name or by "*", is removed. If `configured`
//   also enables it, it is added at the place of that entry.
// - A default plugin that `configured` enables keeps its place and takes the configured entry (the
//   last of several), including an unset weight.
// - The other plugins that `configured` enables follow in order. Duplicate names are kept;
//   expanding the profile reports them.
//
// The disabled names are those of `configured`, then those of `defaults`; their weights are
// dropped.
PluginSet merge_plugin_set(const PluginSet& defaults, const PluginSet& configured);

}  // namespace berth::config
