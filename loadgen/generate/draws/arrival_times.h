#pragma once

// The arrival times of the pods, or Jobs, of one entry of `arrivals`. All times are in nanoseconds
// from the beginning of the load.

#include <cstdint>
#include <memory>
#include <string>

#include "engine/base/io/io.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// Reads a file with one time per line, such as 1.25s, in ascending order. Empty lines and lines
// that begin with # are skipped. The file is read in pieces, as times are needed.
class TimesFile {
 public:
  // Throws Error if the file cannot be opened.
  explicit TimesFile(const std::string& path) : source_(path) {}
  // The next time, or kNever at the end. Throws Error with the line number for a malformed or
  // descending time.
  int64_t next();

 private:
  // Appends the next line, without its newline; false at the end of the file. The text of a comment
  // is dropped after its #.
  bool read_line(std::string& line);

  FileSource source_;
  std::vector<uint8_t> buffer_;
  size_t at_ = 0;       // position in buffer_
  uint32_t line_ = 0;   // number of the last line read
  int64_t before_ = 0;  // the previous time
};

// The arrival times of one ArrivalSpec, one after the other.
class ArrivalTimes {
 public:
  // `spec` must outlive this. `of` is the index of the arrival in its workload. Throws Error if a
  // file of times cannot be read.
  ArrivalTimes(const ArrivalSpec& spec, uint64_t seed, uint32_t of);

  // The next arrival time, or kNever after the last.
  int64_t next() const { return next_; }
  // Proceeds to the next arrival. Throws Error as TimesFile::next does.
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
  uint64_t index_ = 0;       // number of arrivals so far
  uint64_t candidates_ = 0;  // number of gaps drawn so far
  uint64_t left_in_burst_ = 0;
  uint64_t bursts_ = 0;
  double highest_ = 0;  // daily: highest value of the curve
  double peak_ = 0;     // daily: arrivals per second at that value
  std::unique_ptr<TimesFile> file_;
};

}  // namespace berth::loadgen
