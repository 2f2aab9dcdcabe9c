#pragma once

// Helpers for the tests of this module: short workload files, and a checked recording of a load.

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loadgen/play/load.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// Three header lines that every workload file needs, followed by `more`.
std::string head(std::string_view more);

// The parsed workload. Throws the first error if `text` has one.
WorkloadSpec parsed(const std::string& text);
// The errors of `text`, each as "LINE:COLUMN: FIELD: MESSAGE".
std::vector<std::string> faults(const std::string& text);

// Invalid workload files, each with the first error that it causes.
struct Wrong {
  const char* name;
  std::string text;  // follows head(), so it begins at line 4
  const char* fault;
  bool by_shape = true;  // workload.schema.json rejects it too
};
std::span<const Wrong> wrong_workloads();

// Opens the workload of `text` and returns its load.
std::unique_ptr<Load> load_of(const std::string& text, uint64_t seed = 0);

// One pod as it arrived.
struct ArrivedPod {
  std::string namespace_name, name;
  int64_t planned = 0;
  bool measured = false;
  model::Pod pod;
};

// Everything that a load produced. play_all also checks the rules that every load obeys: times
// never decrease; template ids are dense and are defined before use; no two living pods have the
// same name; claims of pods exist when these arrive; only existing objects are deleted, finished or
// updated. Each violation is a text in `broken`.
struct Played {
  std::vector<ArrivedPod> pods;
  // Events with the planned time of their step, in nanoseconds.
  std::vector<std::pair<int64_t, ingest::Change>> events;
  std::vector<ingest::Change> cluster;  // all added
  std::vector<std::string> drained;
  size_t steps = 0;
  size_t largest_step = 0;
  size_t most_living = 0;
  std::vector<std::string> broken;  // violations; empty if the load is correct
};
Played play_all(Load& load);
Played play_all(const std::string& text, uint64_t seed = 0);

// The load written as a stream of frames, or of lines.
std::vector<uint8_t> stream_of(Load& load, bool lines = false);

}  // namespace berth::loadgen
