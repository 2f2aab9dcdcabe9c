#pragma once

// Parts the bytes of a watch into the JSON texts of its events. Internal to this module.
//
// An event is one line, as an API server sends it, or a JSON object over several lines, as kubectl
// prints it. A text ends where its brackets balance. A malformed text ends at the latest before the
// next line that begins an object and is indented no deeper than its own first line, so it costs
// the events behind it nothing.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/io/io.h"

namespace berth::ingest {

class EventTexts {
 public:
  enum class Next : uint8_t {
    kText,  // text() is the next one
    kWait,  // the source has nothing to read now
    kEnd    // of the source; no text is left
  };

  // The source is kept by the caller. A text of more than `most` bytes is read and not kept.
  EventTexts(ByteSource& source, size_t most) : source_(source), most_(most) {}

  // Reads up to the end of the next text that is not blank. `wait`: a read may wait for input; else
  // the answer is kWait where one would. Throws Error if reading fails.
  Next next(bool wait);

  // Valid until next() is called again.
  const std::string& text() const { return text_; }
  uint32_t line() const { return first_line_; }  // of the text's first line, from 1
  bool too_long() const { return too_long_; }    // the text is incomplete

 private:
  bool read_line();
  bool take_line();
  void begin();
  void append();
  void scan(std::string_view part);

  ByteSource& source_;
  const size_t most_;
  std::vector<uint8_t> buffer_;
  size_t at_ = 0;  // in buffer_
  bool ended_ = false;

  std::string line_;  // read so far; at most a byte more than `most_` is kept
  uint32_t lines_ = 0;
  bool held_ = false;  // line_ is whole and begins the text after this one

  std::string text_;
  uint32_t first_line_ = 0;
  bool open_ = false;  // text_ needs more lines
  bool too_long_ = false;

  // Of text_, up to its last line.
  size_t indent_ = 0;
  int64_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace berth::ingest
