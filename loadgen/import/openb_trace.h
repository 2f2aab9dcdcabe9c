#pragma once

// The tables of the openb trace (Weng et al., "Beware of Fragmentation", USENIX ATC 2023): nodes
// with GPUs, and pods that ask for parts of one or for several.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/model/objects/objects.h"

namespace berth::loadgen::openb {

// A thousandth of a GPU. A node's GPUs are one pool of them.
inline constexpr char kGpuMilli[] = "alibabacloud.com/gpu-milli";
// The label that says which GPUs a node has.
inline constexpr char kGpuModel[] = "alibabacloud.com/gpu-card-model";

struct TraceNode {
  std::string name;
  int64_t cpu_milli = 0;
  int64_t memory_mib = 0;
  int64_t gpus = 0;
  std::string model;  // empty: none, or unknown
};

struct TracePod {
  std::string name;
  int64_t cpu_milli = 0;
  int64_t memory_mib = 0;
  int64_t gpus = 0;
  int64_t gpu_milli = 0;             // of each
  std::vector<std::string> models;   // that will do; empty: all will
  int64_t created = 0, deleted = 0;  // seconds; the latter not before the former
};

struct TracePods {
  bool timed = false;          // there are columns with times
  std::vector<TracePod> pods;  // by time of creation, and by row
  int64_t end = 0;             // the last time that is named
};

// Rows with something wrong, and those of a name that was there already, are reported and left out.
// Throw Error if a column is missing.
std::vector<TraceNode> read_nodes(std::string_view text, const std::string& file,
                                  Diagnostics& diagnostics);
TracePods read_pods(std::string_view text, const std::string& file, Diagnostics& diagnostics);

// As a kubelet would announce it.
model::Node make_node(const TraceNode& node, int64_t most_pods);
model::PodSpec make_spec(const TracePod& pod);

}  // namespace berth::loadgen::openb
