#pragma once

// The state of a process that all its code shares and a plugin could change: the working directory,
// the locale, limits, open descriptors, signals, and so on.

#include <optional>
#include <string>
#include <vector>

namespace berth::validator {

class ProcessState {
 public:
  // Of the calling process and the calling thread, now.
  static ProcessState now();

  // The first part that is not as it was, as a sentence: "the working directory is /, and was
  // /tmp". Not compared: descriptors that were opened since, and signals that got a handler of
  // their own, as the runtimes of some languages do.
  std::optional<std::string> changed_since(const ProcessState& before) const;

 private:
  struct Part {
    std::string name, value;
  };
  void add(std::string name, std::string value);
  void add_numbers();
  void add_limits();
  void add_signals();
  void add_descriptors();

  std::vector<Part> parts_;
};

// Waits for the processes that the calling process has started. Returns their number.
size_t await_children();

}  // namespace berth::validator
