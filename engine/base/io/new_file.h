#pragma once

// An output file that replaces the former one only when it is complete.

#include <optional>
#include <span>
#include <string>

#include "engine/base/io/io.h"

namespace berth {

// Removes the temporary files that this process has now, for an end without destructors: such a
// file is of no use any more. Any thread, also in a signal handler (it takes no lock and allocates
// nothing); afterwards the process has to end.
void remove_temporary_files() noexcept;

// Writes to a temporary file in the same folder and renames it in finish(), so the former content
// is lost only to a complete file, and its permissions are kept. Up to 16 temporary files at a time
// are removed by remove_temporary_files(). Standard output ("-") and
// everything that is not a regular file (a terminal, a pipe, a device) is written to directly.
// If no file can be created in the folder but the file itself can be written, it is written
// directly as well, and truncated by the constructor.
class NewFile final : public ByteSink {
 public:
  // Throws Error if neither a temporary file nor the file itself can be opened for writing.
  explicit NewFile(std::string path);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  // Without finish() the temporary file is removed and the former file stays.
  ~NewFile() override;

  // Throws Error. Requires: finish() was not called.
  using ByteSink::write;
  void write(std::span<const uint8_t> bytes) override;

  // Renames the temporary file to the path. Call it once, after the last write(). If it throws
  // Error, the former file is unchanged.
  void finish();

 private:
  std::string path_;
  std::string temporary_;  // empty: none
  std::optional<FileSink> sink_;
};

}  // namespace berth
