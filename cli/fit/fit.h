#pragma once

// The number of copies of pods that fit into a cluster: copies are scheduled one after another,
// until one does not fit.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/fit/copies.h"
#include "cli/fit/copy_source.h"
#include "cli/run/run_options.h"
#include "engine/config/config.h"
#include "engine/output/summary.h"
#include "engine/runtime/assembly.h"

namespace berth::cli {

struct FitOptions {
  RunOptions run;  // with the cluster
  std::vector<std::string> pods;
  CopyLimits limits;
};

// Copies of one pod, workload or gang.
struct FittedUnit {
  std::string name;
  uint64_t pods = 1;               // of each copy
  uint64_t copies = 0;             // that are whole
  std::optional<uint64_t> wanted;  // copies that are asked for
};

// Pods of whole copies.
struct FittedPlace {
  std::string name;            // of the node or the zone
  std::string zone;            // of the node; may be empty
  uint64_t nodes = 1;          // of the zone with such pods
  std::vector<uint64_t> pods;  // by unit
  uint64_t all() const;
};

struct FitAnswer {
  std::vector<FittedUnit> units;
  std::vector<FittedPlace> zones, nodes;  // with such pods; by name, in the search's order
  CopiesEnd end;
  uint64_t evicted = 0;
  std::vector<output::ResourceUse> resources;  // of the cluster with the copies
  uint64_t decisions = 0;
  double seconds = 0;    // of scheduling
  bool partial = false;  // it was interrupted
  uint64_t faults = 0;   // of the input and of plugins

  uint64_t copies() const;
  uint64_t pods() const;
  // All that was asked for fits; without a number, at least one copy.
  bool fits() const;
};

// Throws Error as a run does.
FitAnswer fit(const FitOptions& options, config::Configuration configuration,
              runtime::Plugins& plugins);

// `all`: every node and zone.
std::string to_text(const FitAnswer& answer, bool all);
std::string to_json(const FitAnswer& answer);

}  // namespace berth::cli
