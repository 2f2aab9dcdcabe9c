#pragma once

// What the tests of this module share.

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loadgen/play/load.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// The head of a workload file; what is specific to a test follows.
std::string head(std::string_view more);

// The workload of a text that is right; throws its first error.
WorkloadSpec parsed(const std::string& text);
// The errors of a text as "LINE:COLUMN: FIELD: MESSAGE".
std::vector<std::string> faults(const std::string& text);

// Texts that are wrong, each with its first fault.
struct Wrong {
  const char* name;
  std::string text;  // behind the head, from line 4 on
  const char* fault;
  bool by_shape = true;  // the schema sees it, too
};
std::span<const Wrong> wrong_workloads();

std::unique_ptr<Load> load_of(const std::string& text, uint64_t seed = 0);

struct ArrivedPod {
  std::string namespace_name, name;
  int64_t planned = 0;
  bool measured = false;
  model::Pod pod;
};

// All that comes out of a load, checked on the way for what any load must keep to: times that
// never go back, ids that are dense and defined, no name twice at a time, nothing deleted, finished
// or updated that is not there.
struct Played {
  std::vector<ArrivedPod> pods;
  std::vector<std::pair<int64_t, ingest::Event>> events;  // with the time of their step
  ingest::ClusterPart cluster;
  std::vector<std::string> drained;
  size_t steps = 0;
  size_t largest_step = 0;
  size_t most_living = 0;
  std::vector<std::string> broken;  // what was not kept to
};
Played play_all(Load& load);
Played play_all(const std::string& text, uint64_t seed = 0);

// A load's stream, byte by byte.
std::vector<uint8_t> stream_of(Load& load);

}  // namespace berth::loadgen
