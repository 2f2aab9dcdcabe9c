#pragma once

// Puts the parts of a sweep together.

#include <rapidjson/document.h>

#include <string>
#include <vector>

#include "bench/macro/sweep/sweep_document.h"

namespace berth::bench {

// The results of a part, and the file that has them.
struct SweepPart {
  std::string file;
  rapidjson::Document document;
  Sweep sweep;
};

// Reads a file that berth-bench sweep or merge wrote as JSON. Throws Error with its name.
SweepPart read_part(const std::string& file);

struct Merged {
  rapidjson::Document document;  // with `results` in the order of the grid, and without `sweep`
  Sweep sweep;                   // without rows
};

// The parts as one sweep; its front is that of the first part. Combinations that a part was
// interrupted in count as missing. Throws Error
// - for a part of another load, of other axes or settings, or of another build than the first one;
// - for a combination that two parts have;
// - for combinations that none has, unless `allow_missing`: then the sweep is `interrupted`.
// Requires: at least one part.
Merged merge(const std::vector<SweepPart>& parts, bool allow_missing, const std::string& line);

}  // namespace berth::bench
