#include "engine/ingest/watch/event_texts.h"

#include <algorithm>

namespace berth::ingest {
namespace {

constexpr size_t kPiece = size_t{1} << 16;
constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

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
  const auto begin = buffer_.begin() + static_cast<std::ptrdiff_t>(at_);
  const auto end = std::find(begin, buffer_.end(), uint8_t{'\n'});
  const size_t room = most_ + 1 - line_.size();
  const auto kept = std::min(end - begin, static_cast<std::ptrdiff_t>(room));
  line_.append(begin, begin + kept);
  at_ = static_cast<size_t>(end - buffer_.begin());
  if (end == buffer_.end()) {
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
  append();
  // JSON strings contain no line breaks, so a string that is open here is malformed.
  open_ = open_ && depth_ > 0 && !in_string_ && line_.size() <= most_;
  line_.clear();
  return !open_;
}

void EventTexts::begin() {
  text_.clear();
  first_line_ = lines_;
  too_long_ = false;
  depth_ = 0;
  in_string_ = false;
  escaped_ = false;
}

void EventTexts::append() {
  scan(line_);
  too_long_ = too_long_ || text_.size() + line_.size() > most_;
  if (too_long_) return;
  if (!text_.empty()) text_ += '\n';
  text_ += line_;
}

void EventTexts::scan(std::string_view part) {
  for (const char c : part) {
    if (in_string_) {
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else if (c == '"') {
        in_string_ = false;
      }
    } else if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if (c == '}' || c == ']') {
      --depth_;
    }
  }
}

}  // namespace berth::ingest
