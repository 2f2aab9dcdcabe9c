#pragma once

// All runs of one command as one document: what -o json prints, --report shows and compare reads.

#include <rapidjson/document.h>

#include <chrono>
#include <string>
#include <vector>

#include "bench/macro/run/environment.h"

namespace berth::bench {

struct Command {
  std::string line;  // to be typed again
  std::chrono::system_clock::time_point started;
  double elapsed_seconds = 0;
};

struct Done {
  std::vector<rapidjson::Document> runs;
  std::vector<std::string> failed;  // runs that failed, each with why
};

// bench/README.md describes the format.
rapidjson::Document results(const Command& command, const Environment& environment,
                            const Neighbours::Shares& neighbours, Done done);

std::string to_json(const rapidjson::Document& document);  // with a newline at the end
// A table for a terminal, one line a run, with what disturbed it.
std::string to_text(const rapidjson::Document& document);

// The arguments as a shell would have to be given them.
std::string shell_line(int argc, const char* const* argv);

}  // namespace berth::bench
