#pragma once

// Tables as text, one row a line, fields parted by commas, the first line naming the columns; no
// quotes. What is wrong is reported with line and column, and the row left out.
//
// A parser of our own, since an error is to say where it is: the libraries at hand name the line at
// best, and stop there.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"

namespace berth::loadgen {

class CsvReader {
 public:
  // `text` outlives this. Throws Error if there is no header, or one of the `required` columns is
  // not in it or is there twice.
  CsvReader(std::string_view text, std::string file, const std::vector<std::string>& required,
            Diagnostics& diagnostics);

  bool has(std::string_view column) const { return index_of(column) != kNone; }

  // The next row that has a field for each column; false: there is none.
  bool next();

  // Of the row in hand. Absent columns read as empty.
  std::string_view text(std::string_view column) const;
  // A whole number within [low, high]; else the fault is reported, and ok() turns false.
  int64_t number(std::string_view column, int64_t low, int64_t high);
  void report(std::string_view column, std::string message);
  bool ok() const { return ok_; }  // nothing was reported of this row

 private:
  static constexpr size_t kNone = SIZE_MAX;

  size_t index_of(std::string_view column) const;
  std::string_view take_line();
  Place place(size_t field) const;

  std::string_view rest_;
  std::string file_;
  Diagnostics& diagnostics_;
  std::vector<std::string> columns_;
  uint32_t line_ = 0;
  std::string_view row_;
  std::vector<std::string_view> fields_;
  bool ok_ = true;
};

}  // namespace berth::loadgen
