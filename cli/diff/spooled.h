#pragma once

// Inputs that can be read only once, kept so that two runs can read them.

#include <deque>
#include <string>
#include <vector>

#include "cli/run/run_options.h"
#include "engine/base/io/io.h"
#include "engine/base/program/message_scope.h"

namespace berth::cli {

class SpooledInputs {
 public:
  // Reads standard input, sockets and pipes that the options name to their end, into memory that
  // has a name in this process as long as the object exists; the options name that then. Throws
  // Error.
  explicit SpooledInputs(RunOptions& options) { spool_all(options); }
  // The same, and of other paths.
  SpooledInputs(RunOptions& options, std::vector<std::string>& others) {
    spool_all(options);
    for (std::string& path : others) spool(path);
  }

  // The names that the user gave them.
  const std::vector<MessageScope::Name>& names() const { return names_; }

 private:
  void spool_all(RunOptions& options);
  void spool(std::string& path);

  std::deque<Descriptor> kept_;
  std::vector<MessageScope::Name> names_;
};

}  // namespace berth::cli
