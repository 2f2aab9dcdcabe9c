#pragma once

// The tables of the openb trace (Weng et al., "Beware of Fragmentation", USENIX ATC 2023): nodes
// with GPUs, and pods that request a share of one GPU or several whole ones.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/model/objects/objects.h"

namespace berth::loadgen::openb {

// Resource name for thousandths of a GPU. All GPUs of a node form one amount.
inline constexpr char kGpuMilli[] = "alibabacloud.com/gpu-milli";
// Node label with the GPU model.
inline constexpr char kGpuModel[] = "alibabacloud.com/gpu-card-model";

struct TraceNode {
  std::string name;
  int64_t cpu_milli = 0;
  int64_t memory_mib = 0;
  int64_t gpus = 0;
  std::string model;  // GPU model; empty: no GPU, or unknown
};

struct TracePod {
  std::string name;
  int64_t cpu_milli = 0;
  int64_t memory_mib = 0;
  int64_t gpus = 0;
  int64_t gpu_milli = 0;             // per GPU
  std::vector<std::string> models;   // acceptable GPU models; empty: any
  int64_t created = 0, deleted = 0;  // seconds; deleted >= created
};

struct TracePods {
  bool timed = false;          // the table has time columns
  std::vector<TracePod> pods;  // by time of creation, then by row
  int64_t end = 0;             // latest time in the table, seconds
};

// Parse a table. Invalid rows and rows with a repeated name are reported and left out. Throw Error
// if a column is missing.
std::vector<TraceNode> read_nodes(std::string_view text, const std::string& file,
                                  Diagnostics& diagnostics);
TracePods read_pods(std::string_view text, const std::string& file, Diagnostics& diagnostics);

// The node as its kubelet would register it. `most_pods` is its limit of pods.
model::Node make_node(const TraceNode& node, int64_t most_pods);
model::PodSpec make_spec(const TracePod& pod);

}  // namespace berth::loadgen::openb
