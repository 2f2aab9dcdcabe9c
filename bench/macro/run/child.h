#pragma once

// A piece of work in a process of its own, so that each run starts with the memory of none before,
// and a plugin that ends its process ends one run.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/io/io.h"

namespace berth::bench {

// What children returned. It stays in a file without a name: in memory it would be the next
// child's, too.
class Returned {
 public:
  Returned();  // throws std::system_error if there can be no such file

  // Runs `work` in a child and keeps what it returns. Throws Error with the message of what it
  // threw, or with how the process ended if it did not come to return; nothing is kept then.
  // Precondition: the calling process has one thread.
  void add(const std::function<std::string()>& work);

  size_t size() const { return ends_.size(); }
  std::string operator[](size_t i) const;

 private:
  std::string read(size_t begin, size_t end) const;
  size_t end() const { return ends_.empty() ? 0 : ends_.back(); }

  Descriptor file_;
  std::vector<size_t> ends_;
};

}  // namespace berth::bench
