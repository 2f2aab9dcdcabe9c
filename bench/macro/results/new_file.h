#pragma once

// A file that is there whole or not at all.

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/io/io.h"

namespace berth::bench {

// Written beside its place and moved there at the end, so that what stood there before is lost only
// to what is complete. What is no regular file (a terminal, a pipe) is written to directly.
class NewFile {
 public:
  // Throws Error if it cannot be made.
  explicit NewFile(std::string path);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();  // leaves nothing behind unless finish() was called

  // Once. Throws Error.
  void finish(std::string_view content);

 private:
  std::string path_;
  std::string temporary_;  // empty: none
  std::optional<FileSink> sink_;
};

}  // namespace berth::bench
