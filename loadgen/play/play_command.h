#pragma once

// The subcommands cluster, pods and stream of berth-loadgen: play a workload into a file, pipe or
// socket.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "loadgen/play/play.h"

namespace berth::loadgen {

struct PlayCommand {
  PlayOptions play;
  std::string workload;
  std::string pattern;  // selects one workload of a file that has several
  // NAME=VALUE, as on the command line
  std::vector<std::string> settings;
  uint64_t seed = 0;
  std::string output = "-";
  std::string listen;  // a socket to listen on, instead of `output`
  std::string format;  // empty: chosen by the name of the output
  // longest wait of one write for a reader
  std::optional<Nanoseconds> give_up;
};

// Returns the exit status. Throws Error.
int run(const PlayCommand& command);

}  // namespace berth::loadgen
