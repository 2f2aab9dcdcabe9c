#include "engine/ingest/watch/event_texts.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace berth::ingest {
namespace {

constexpr size_t kPiece = size_t{1} << 16;
constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// The change of the depth of brackets by each character.
constexpr auto kDepth = [] {
  std::array<int8_t, 256> depth{};
  depth['{'] = depth['['] = 1;
  depth['}'] = depth[']'] = -1;
  return depth;
}();

// The end of the JSON string whose text begins at `begin`, or null if it is not closed.
const char* behind_string(const char* begin, const char* end) {
  for (const char* at = begin; at != end;) {
    const auto* quote =
        static_cast<const char*>(std::memchr(at, '"', static_cast<size_t>(end - at)));
    if (quote == nullptr) return nullptr;
    const char* before = quote;
    while (before != begin && before[-1] == '\\') --before;
    if ((quote - before) % 2 == 0) return quote + 1;
    at = quote + 1;
  }
  return nullptr;
}

}  // namespace

EventTexts::Next EventTexts::next(bool wait) {
  for (;;) {
    if (held_ || read_line()) {
      if (take_line()) return Next::kText;
    } else if (ended_) {
      if (!open_) return Next::kEnd;
      open_ = false;
      return Next::kText;
    } else if (!wait && !source_.ready()) {
      return Next::kWait;
    } else {
      buffer_.resize(kPiece);
      buffer_.resize(source_.read(buffer_));
      at_ = 0;
      ended_ = buffer_.empty();
    }
  }
}

// Appends bytes of the buffer to line_. True if the line is complete, false if the buffer ended
// before it.
bool EventTexts::read_line() {
  const std::string_view rest(reinterpret_cast<const char*>(buffer_.data()) + at_,
                              buffer_.size() - at_);
  const size_t end = rest.find('\n');  // searches many bytes at a time
  const size_t room = most_ + 1 - line_.size();
  line_.append(rest.substr(0, std::min(end, room)));
  at_ += std::min(end, rest.size());
  if (end == rest.npos) {
    if (!ended_ || line_.empty()) return false;
  } else {
    ++at_;
  }
  if (++lines_ == 1 && line_.starts_with(kByteOrderMark)) line_.erase(0, kByteOrderMark.size());
  return true;
}

// Adds line_ to the text. True if the text is complete: with this line or, if the line begins the
// next text (held_), before it.
bool EventTexts::take_line() {
  const size_t indent = line_.find_first_not_of(kBlanks);
  const bool object = indent != std::string::npos && line_[indent] == '{';
  held_ = open_ && object && indent <= indent_;
  if (held_) {
    open_ = false;
    return true;
  }
  if (!open_) {
    if (indent == std::string::npos) {
      line_.clear();
      return false;
    }
    begin();
    indent_ = indent;
    open_ = object;
  }
  if (open_) scan(line_);
  // JSON strings contain no line breaks, so a string that is open here is malformed.
  open_ = open_ && depth_ > 0 && !in_string_ && line_.size() <= most_;
  append();
  return !open_;
}

void EventTexts::begin() {
  text_.clear();
  first_line_ = lines_;
  too_long_ = false;
  depth_ = 0;
}

// Moves the line to the text.
void EventTexts::append() {
  too_long_ = too_long_ || text_.size() + line_.size() > most_;
  if (!too_long_ && text_.empty()) {
    text_.swap(line_);
  } else if (!too_long_) {
    text_ += '\n';
    text_ += line_;
  }
  line_.clear();
}

// Follows brackets to the end of a line.
void EventTexts::scan(std::string_view line) {
  const char* at = line.data();
  const char* const end = at + line.size();
  in_string_ = false;  // a line of JSON begins outside of strings
  while (at != end) {
    const char c = *at++;
    if (c == '"') {
      at = behind_string(at, end);
      in_string_ = at == nullptr;
      if (in_string_) return;
    } else {
      depth_ += kDepth[static_cast<unsigned char>(c)];
    }
  }
}

}  // namespace berth::ingest
