#pragma once

// Counts the instructions of this process, in user space, through perf_event_open. Unlike times
// they hardly depend on what else the machine does.

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/io/io.h"

namespace berth::bench {

// Of the constructing thread, and of threads that begin later and belong to it. One thread.
class InstructionCounter {
 public:
  // Counts nothing yet. If the kernel or the machine does not permit it, problem() says why.
  InstructionCounter();

  const std::string& problem() const { return problem_; }  // empty: it counts
  // They may be repeated and then have no effect.
  void resume();
  void pause();
  // The total while it was running; nothing if it cannot count.
  std::optional<uint64_t> count() const;

 private:
  Descriptor event_;
  bool running_ = false;
  std::string problem_;
};

}  // namespace berth::bench
