#pragma once

// Runs what a command planned, and makes one document of it.

#include <rapidjson/document.h>

#include <optional>
#include <string>
#include <vector>

#include "bench/macro/run/runner.h"
#include "bench/macro/run/variant.h"
#include "engine/base/io/former_files.h"
#include "engine/base/io/new_file.h"
#include "loadgen/workload/workload.h"

namespace berth::bench {

struct PlannedRun {
  const loadgen::Workload* workload = nullptr;
  Variant variant;

  std::string name() const;  // workload and label
};

// Throws Error if a file that is to be written is an input of a run.
void refuse_overwriting_inputs(const std::string& file, const std::vector<PlannedRun>& runs);

// The file of --report. It is created before the work, so that a failure does not lose results. A
// former one stays until another is complete, and goes if none is written.
class ReportFile {
 public:
  // Empty: no report. `more` are other files that the command writes. Throws Error if the file
  // cannot be created, or this build has no report.
  explicit ReportFile(const std::string& file, const std::vector<std::string>& more = {});

  void write(const std::string& results_json);  // nothing without a file

 private:
  FormerFiles former_;
  std::optional<NewFile> file_;
};

// The results of the runs.
struct Measured {
  // As bench/figures.md describes it; nothing if all runs failed.
  std::optional<rapidjson::Document> document;
  std::vector<size_t> failed;  // indices of runs
};

// Runs everything until an interrupt. A failed run is said and is in the document, and the
// others go on. With RepeatOptions::figures_only the runs are numbered in the progress line, and
// the first one alone says what is not done. `line` is the command line. Throws Error if the user
// interrupts before anything is measured. Call it once per process.
Measured measure_all(const std::vector<PlannedRun>& runs, const RepeatOptions& repeat,
                     const std::string& line);

}  // namespace berth::bench
