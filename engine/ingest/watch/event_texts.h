#pragma once

// Splits the bytes of a watch into the JSON texts of its events. Internal to this module.
//
// An event is one line, as an API server sends it, or a JSON object over several lines, as kubectl
// prints it. A text ends where its brackets balance. A malformed text ends at the latest before the
// next line that begins an object and is indented no deeper than its own first line, so the events
// after it are not lost.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/io/io.h"

namespace berth::ingest {

// One thread.
class EventTexts {
 public:
  enum class Next : uint8_t {
    kText,  // text() is the next text
    kWait,  // the text is incomplete, and the source has nothing to read now
    kEnd    // the source has ended, and all texts were returned
  };

  // The source must outlive the object. `most`: limit of a text in bytes; a longer text is read to
  // its end but truncated, see too_long().
  EventTexts(ByteSource& source, size_t most) : source_(source), most_(most) {}

  // Reads up to the end of the next text that is not blank. `wait`: true: block for input; false:
  // return kWait instead of blocking. Throws Error if reading fails.
  Next next(bool wait);

  // Valid until next() is called again.
  const std::string& text() const { return text_; }
  uint32_t line() const { return first_line_; }  // of the text's first line, from 1
  bool too_long() const { return too_long_; }    // the text was longer than `most` and is truncated

 private:
  bool read_line();
  bool take_line();
  void begin();
  void append();
  void scan(std::string_view line);

  ByteSource& source_;
  const size_t most_;
  std::vector<uint8_t> buffer_;
  size_t at_ = 0;  // in buffer_
  bool ended_ = false;

  std::string line_;  // the current line as far as it was read; at most most_ + 1 bytes
  uint32_t lines_ = 0;
  bool held_ = false;  // line_ is complete and begins the next text

  std::string text_;
  uint32_t first_line_ = 0;
  bool open_ = false;  // text_ needs more lines
  bool too_long_ = false;

  // The state of the scan of text_ after its last line.
  size_t indent_ = 0;
  int64_t depth_ = 0;
  bool in_string_ = false;  // at the end of the last line
};

}  // namespace berth::ingest
