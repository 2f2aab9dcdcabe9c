#include "engine/document/split.h"

#include <algorithm>
#include <string>

namespace berth::document::internal {
namespace {

constexpr std::string_view kDashes = "---";
constexpr std::string_view kDots = "...";

// Iterates over the lines that begin with a marker.
class MarkerLines {
 public:
  MarkerLines(std::string_view text, std::string_view marker)
      : text_(text), marker_(marker), behind_break_("\n" + std::string(marker)) {
    if (!is_marker(0)) next();
  }

  size_t at() const { return at_; }  // the end of the text if no line is left

  void next() {
    do {
      size_t line_break = text_.find(behind_break_, at_);
      at_ = line_break == text_.npos ? text_.size() : line_break + 1;
    } while (at_ != text_.size() && !is_marker(at_));
  }

 private:
  bool is_marker(size_t at) const {
    size_t behind = at + marker_.size();
    return text_.substr(at).starts_with(marker_) &&
           (behind == text_.size() || kJsonBlanks.find(text_[behind]) != kJsonBlanks.npos);
  }

  const std::string_view text_;
  const std::string_view marker_;
  const std::string behind_break_;
  size_t at_ = 0;
};

size_t line_end(std::string_view text, size_t at) {
  return std::min(text.find('\n', at), text.size() - 1) + 1;
}

// True if some line is neither blank nor a comment.
bool has_content(std::string_view part) {
  if (part.starts_with(kDashes)) part.remove_prefix(kDashes.size());
  for (size_t at = 0; at < part.size(); at = line_end(part, at)) {
    at = part.find_first_not_of(kJsonBlanks, at);
    if (at == part.npos) return false;
    if (part[at] != '#') return true;
  }
  return false;
}

}  // namespace

uint32_t directives(std::string_view part) {
  bool found = false;
  size_t at = 0;
  for (; at < part.size(); at = line_end(part, at)) {
    const size_t first = part.find_first_not_of(" \t\r", at);
    if (first == part.npos || part[first] == '\n' || part[first] == '#') continue;
    if (part[at] != '%') break;
    found = true;
  }
  return found ? uint32_t(at) : 0;
}

std::vector<Part> split_documents(std::string_view text) {
  std::vector<Part> parts;
  size_t begin = 0;
  auto end_part = [&](size_t end) {
    if (has_content(text.substr(begin, end - begin))) {
      parts.push_back({uint32_t(begin), uint32_t(end)});
    }
  };
  MarkerLines dashes(text, kDashes);
  MarkerLines dots(text, kDots);
  while (std::min(dashes.at(), dots.at()) < text.size()) {
    if (dots.at() < dashes.at()) {
      end_part(dots.at());
      begin = line_end(text, dots.at());
      dots.next();
    } else {
      const size_t before = dashes.at() - begin;
      if (before == 0 || directives(text.substr(begin, before)) != before) {
        end_part(dashes.at());
        begin = dashes.at();
      }
      dashes.next();
    }
  }
  end_part(text.size());
  return parts;
}

}  // namespace berth::document::internal
