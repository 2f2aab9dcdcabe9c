#pragma once

// berth-loadgen cluster, pods and stream: a workload, played to where the user wants it.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "loadgen/play/play.h"

namespace berth::loadgen {

struct PlayCommand {
  PlayOptions play;
  std::string workload;
  std::string pattern;  // of a file that holds several
  std::vector<std::string> settings;
  uint64_t seed = 0;
  std::string output = "-";
  std::string listen;  // in place of `output`: a socket to wait at
  std::string format;  // empty: by the name of the output
  std::optional<Nanoseconds> give_up;
};

// The exit status. Throws Error.
int run(const PlayCommand& command);

}  // namespace berth::loadgen
