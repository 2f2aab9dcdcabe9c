#pragma once

// Writes a file atomically.

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/io/io.h"

namespace berth::bench {

// Writes to a temporary file in the same folder and renames it at the end, so that an existing file
// is replaced only by complete content. A special file (terminal, pipe) is written directly.
class NewFile {
 public:
  // Throws Error if the temporary file cannot be created.
  explicit NewFile(std::string path);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();  // removes the temporary file unless finish() was called

  // Writes the content and renames. Call it once. Throws Error.
  void finish(std::string_view content);

 private:
  std::string path_;
  std::string temporary_;  // empty for special files
  std::optional<FileSink> sink_;
};

}  // namespace berth::bench
