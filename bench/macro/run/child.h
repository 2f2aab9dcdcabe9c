#pragma once

// Runs work in a child process. Each run starts with fresh memory, and a plugin that ends its
// process ends only one run.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/io/interrupts.h"
#include "engine/base/io/io.h"

namespace berth::bench {

// For note_interrupts(): the first signal, whether parent or child receives it, ends a run in
// order; the second ends the parent, and the child with it.
inline constexpr InterruptRules kInterruptRules{
    .waiting = InterruptRules::Waiting::kResumes, .second_ends = true, .with_children = true};

// The results of several children. They are kept in an anonymous file, because in memory every
// later child would inherit them.
class Returned {
 public:
  Returned();  // throws std::system_error if the file cannot be created

  // Runs `work` in a child process and appends its result. If `work` throws, throws Error with the
  // same message. If the process ends otherwise, throws Error with the reason. In both cases
  // nothing is appended. Requires: the calling process has one thread.
  void add(const std::function<std::string()>& work);

  size_t size() const { return ends_.size(); }
  // The i-th result.
  std::string operator[](size_t i) const;

 private:
  std::string read(size_t begin, size_t end) const;
  size_t end() const { return ends_.empty() ? 0 : ends_.back(); }

  Descriptor file_;
  std::vector<size_t> ends_;  // offset in the file at which each result ends
};

}  // namespace berth::bench
