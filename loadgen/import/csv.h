#pragma once

// Reads comma-separated tables without quotes: one row per line, the first line names the columns.
// A malformed row is reported with line and column and left out.
//
// Why not a library: the ones that were considered report the line at most, and stop at the first
// error.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"

namespace berth::loadgen {

class CsvReader {
 public:
  // `text` must outlive this. Throws Error if there is no header, or if a required column is
  // missing or occurs twice.
  CsvReader(std::string_view text, std::string file, const std::vector<std::string>& required,
            Diagnostics& diagnostics);

  bool has(std::string_view column) const { return index_of(column) != kNone; }

  // Proceeds to the next row with the right number of fields; false at the end.
  bool next();

  // A field of the current row. A missing column reads as empty.
  std::string_view text(std::string_view column) const;
  // An integer within [low, high]. Anything else is reported and clears ok().
  int64_t number(std::string_view column, int64_t low, int64_t high);
  // Reports a fault of the current row and clears ok().
  void report(std::string_view column, std::string message);
  bool ok() const { return ok_; }  // true if nothing was reported for the current row

 private:
  static constexpr size_t kNone = SIZE_MAX;

  size_t index_of(std::string_view column) const;
  std::string_view take_line();
  Place place(size_t field) const;

  std::string_view rest_;  // unread text
  std::string file_;
  Diagnostics& diagnostics_;
  std::vector<std::string> columns_;
  uint32_t line_ = 0;
  std::string_view row_;
  std::vector<std::string_view> fields_;
  bool ok_ = true;
};

}  // namespace berth::loadgen
