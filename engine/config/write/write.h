#pragma once

// Configurations as text: what a configuration means, written so that it can be read again.

#include <string>
#include <vector>

#include "engine/config/config.h"

namespace berth::config {

struct Written {
  std::string yaml;
  // The settings that v1 has no place for, each with its path and what takes its place.
  std::vector<std::string> left_out;
};

// The configuration as YAML of v1. Each profile lists all its plugins with their weights and
// disables all others, so the text does not depend on defaults; fields that matter only with an API
// server are those of the file. Reading the text gives a configuration that means the same, and
// writing that one gives the same text. Throws Error for a number in the arguments of a plugin that
// YAML cannot have. Precondition: the configuration has no faults.
Written convert(const Configuration& configuration);

// The defaults of a version as YAML of this version, with the arguments of all plugins and with the
// fields that matter only with an API server. Reading the text with these gates gives
// defaults(version, gates). Throws as that.
std::string complete_defaults(Version version, const Rules& rules = Rules());

}  // namespace berth::config
