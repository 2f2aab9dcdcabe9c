#pragma once

// When the pods, or Jobs, of one arrival of a workload come.

#include <cstdint>
#include <memory>
#include <string>

#include "engine/base/io/io.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// A file with one time a line, in ascending order, such as 1.25s; empty lines and those that begin
// with # are passed over. Read as it is needed.
class TimesFile {
 public:
  // Throws Error if it cannot be opened.
  explicit TimesFile(const std::string& path) : source_(path) {}
  // kNever at the end. Throws Error that names the line if it is none.
  int64_t next();

 private:
  // False at the end. A long line comes in parts, a long comment without what it says.
  bool read_line(std::string& line);

  FileSource source_;
  std::vector<uint8_t> buffer_;
  size_t at_ = 0;
  uint32_t line_ = 0;
  int64_t before_ = 0;
};

class ArrivalTimes {
 public:
  // The description is kept by the caller. `of` is the number of the arrival in its workload.
  // Throws Error if a file of times cannot be read.
  ArrivalTimes(const ArrivalSpec& spec, uint64_t seed, uint32_t of);

  // When the next one comes; kNever: there is none. Throws Error as TimesFile does.
  int64_t next() const { return next_; }
  void pop();

 private:
  void advance();
  int64_t poisson_gap();
  void thin();
  bool counts_at(int64_t time);

  const ArrivalSpec& spec_;
  uint64_t seed_;
  uint32_t of_;
  int64_t next_ = 0;
  uint64_t index_ = 0;       // how many came before
  uint64_t candidates_ = 0;  // gaps drawn
  uint64_t left_in_burst_ = 0;
  uint64_t bursts_ = 0;
  double highest_ = 0;  // daily: of the curve
  double peak_ = 0;     // daily: arrivals a second where it is highest
  std::unique_ptr<TimesFile> file_;
};

}  // namespace berth::loadgen
