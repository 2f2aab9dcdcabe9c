#pragma once

// The part of a file that is in memory while its items are read. Internal to this module.

#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/base/io/io.h"
#include "engine/document/storage.h"

namespace berth::document::internal {

class ItemWindow {
 public:
  // The source must outlive the window.
  explicit ItemWindow(ByteSource& source);

  // Reads behind the rest, which moves to the beginning of the window; the window grows if the rest
  // fills half of it. False: the source has ended.
  bool fill();

  // The text that is read and not advanced over. Zero bytes follow it, as parsers need.
  std::string_view rest() const { return {bytes_.data() + at_, end_ - at_}; }
  // The beginning of the rest in the file.
  Position position() const { return position_; }
  void advance(size_t bytes);
  // Writes a blank over one byte of the rest.
  void blank(size_t at) { bytes_[at_ + at] = ' '; }

 private:
  ByteSource* source_;
  std::vector<char> bytes_;
  size_t at_ = 0, end_ = 0;
  bool ended_ = false;  // the source has
  Position position_ = {1, 1};
};

}  // namespace berth::document::internal
