#pragma once

// The member `sweep` of a document of results (bench/figures.md): the grid and the rows of its
// table.

#include <rapidjson/document.h>

#include <map>
#include <string>
#include <vector>

#include "bench/macro/sweep/grid.h"
#include "bench/macro/sweep/rows.h"

namespace berth::bench {

// The load and the settings that all combinations share. Parts with equal ones belong together. By
// name; paths of files are not among them, as they differ between machines, but what the files
// hold.
struct SharedSettings {
  std::map<std::string, std::string> load;
  std::map<std::string, std::string> options;
};

struct Sweep {
  SettingsGrid grid;
  SharedSettings shared;
  SweepFigures figures;
  Part part;
  std::vector<uint64_t> failed;  // combinations
  bool interrupted = false;
  std::vector<SweepRow> rows;
};

// The CRC of the contents of these files, one after the other. Standard input ("-") is left out.
// Throws Error if one cannot be read.
std::string contents_of(const std::vector<std::string>& files);

// Makes the rows from the `results` of the document, and adds both to it, replacing a former
// `sweep`. Requires: results as rows_of() wants them.
void add_sweep(rapidjson::Document& document, Sweep& sweep);

// The `sweep` of a document, without its rows. Throws Error for a document without one and for one
// that does not fit its results.
Sweep read_sweep(const rapidjson::Document& document);

// The table for terminals, followed by what it covers and by failures and disturbances. With
// `every_combination` a row for each, and all digits.
std::string sweep_text(const rapidjson::Document& document, const Sweep& sweep,
                       bool every_combination);

}  // namespace berth::bench
