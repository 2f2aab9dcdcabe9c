#pragma once

// The cheapest nodes with which pods that wait get one.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/need/node_template.h"
#include "cli/need/packing.h"
#include "cli/need/search.h"
#include "cli/run/run_options.h"
#include "engine/config/config.h"
#include "engine/output/summary.h"
#include "engine/runtime/assembly.h"

namespace berth::cli {

struct NeedOptions {
  RunOptions run;
  std::vector<std::string> templates;  // files
  SearchLimits limits;
};

// Nodes of one template.
struct NeededNodes {
  std::string name;  // of the template
  uint64_t nodes = 0;
  double price = 0;  // of all of them
  std::vector<std::string> names;
  std::vector<output::ResourceUse> use;  // of all of them
  uint64_t pods = 0;                     // on them
};

// Pods that get no node, whatever is added.
struct StuckPods {
  uint64_t pods = 0;
  std::string first;    // namespace/name of one of them
  std::string message;  // of its event
};

struct NeedAnswer {
  std::vector<NeededNodes> nodes;  // of templates with some
  uint64_t pods = 0;               // of the work
  uint64_t bound = 0;              // of these, by the last run
  std::vector<StuckPods> stuck;    // by message
  double price = 0;
  uint64_t count = 0;  // of nodes
  LowerBound bound_below;
  std::string bound_by;                        // the resource that sets it; empty: none does
  std::vector<output::ResourceUse> resources;  // of the cluster with the nodes
  bool minimal = false, exact = false;         // as of SearchResult
  bool confirmed = false;  // a run by the configuration as it is binds as many pods
  bool partial = false;    // it was interrupted
  uint64_t trials = 0, faults = 0;

  // All pods get a node.
  bool fits() const { return confirmed && !partial && bound == pods; }
};

// Throws Error.
NeedAnswer need(const NeedOptions& options, const config::Configuration& configuration,
                runtime::Plugins& plugins);

// `all`: every message and node.
std::string to_text(const NeedAnswer& answer, bool all);
std::string to_json(const NeedAnswer& answer);

}  // namespace berth::cli
