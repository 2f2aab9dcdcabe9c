#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/config/config.h"
#include "engine/config/read/node.h"

namespace berth::config {

// A configuration file before defaults are filled in.
struct Decoded {
  // With the plugin sets of the file, without defaults. There may be no profile, and scheduler
  // names may be empty.
  Configuration configuration;
  bool first_is_named = false;  // the first profile sets its scheduler name, even if to ""
  std::optional<bool> contention_profiling;

  // Checked by validate(), without effect. The addresses are fields of v1beta2 alone.
  std::optional<int32_t> parallelism;
  std::string healthz_bind_address;
  std::string metrics_bind_address;
};

// The version of the configuration at `root`. Reports another version or kind; former versions and
// policies with what to write instead.
std::optional<Version> decode_type(document::Value root, Faults& faults);

// Reads the tree below `root` by the schema that the version has by these rules. Reports unknown or
// duplicate fields and values of the wrong type, and goes on without them. Precondition:
// decode_type() gave the version.
Decoded decode(document::Value root, Version version, const Rules& rules, Faults& faults);

}  // namespace berth::config
