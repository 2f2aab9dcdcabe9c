#pragma once

// The results of one command as one JSON document. -o json prints it, --report shows it, compare
// reads it.

#include <rapidjson/document.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/macro/run/environment.h"

namespace berth::bench {

struct Command {
  std::string line;  // can be pasted into a shell
  std::chrono::system_clock::time_point started;
  double elapsed_seconds = 0;
};

// The runs of the command.
struct Done {
  std::vector<rapidjson::Document> runs;
  std::vector<std::string> failed;  // the runs that failed, each with its error
};

// Builds the document; bench/figures.md describes the format.
rapidjson::Document results(const Command& command, const Environment& environment,
                            const Neighbours::Shares& neighbours, Done done);

// A string of a document, copied.
rapidjson::Value text(const std::string& value, rapidjson::Document& of);

std::string to_json(const rapidjson::Document& document);  // ends with a newline

enum class Columns : uint8_t {
  kUsual,
  kAll,  // more columns, and all digits
};
// A table for terminals, one line per run, followed by disturbances.
std::string to_text(const rapidjson::Document& document, Columns columns = Columns::kUsual);
std::vector<std::string> run_names(const rapidjson::Document& document);  // run/NAME of each run

// The command line with shell quoting.
std::string shell_line(int argc, const char* const* argv);

}  // namespace berth::bench
