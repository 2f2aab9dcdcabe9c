#pragma once

// Changes of single settings of a configuration, for comparing what each of them does.

#include <cstdint>
#include <map>
#include <string>

#include "engine/config/config.h"

namespace berth::bench {

struct ConfigEdits {
  // By plugin: its weight in the total score. 0: it does not score, as if a profile disabled it at
  // its point `score`; its other points stay.
  std::map<std::string, int32_t> weights;
  // By plugin: true enables it in each profile that does not, as the last one of its multiPoint;
  // false takes it out of each profile.
  std::map<std::string, bool> plugins;

  bool empty() const { return weights.empty() && plugins.empty(); }
};

// Makes the changes in each profile: first those of plugins, then those of weights. Throws
// UsageError for a plugin of a weight or to take out that no profile enables, with the name that
// was meant.
void edit(config::Configuration& configuration, const ConfigEdits& edits);

}  // namespace berth::bench
