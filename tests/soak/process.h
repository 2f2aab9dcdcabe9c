#pragma once

// A program that reads what this one writes, and whose memory can be looked at meanwhile.

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/io/io.h"

namespace berth::soak {

class Process {
 public:
  // Starts a program; the first word is its path. Its standard input is a pipe from here, its
  // standard output goes to /dev/null, its standard error is this process's. Throws Error.
  explicit Process(const std::vector<std::string>& words);
  ~Process();  // ends it if it was not waited for
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Waits until the pipe took all of the text. Throws Error if the program does not read any more.
  void write(std::string_view text) { input_->write(text); }

  uint64_t resident_bytes() const;  // 0 if it has ended

  // Closes its input and waits for its end. Throws Error if it does not end with status 0.
  void finish();

 private:
  pid_t id_ = -1;
  std::unique_ptr<FileSink> input_;
};

}  // namespace berth::soak
