#pragma once

// Runs checks of one plugin, each in a process of its own.

#include <chrono>
#include <string>
#include <vector>

#include "engine/validator/check.h"

namespace berth::validator {

enum class Status : uint8_t { kPassed, kFailed, kSkipped };

struct Result {
  const Check* check;
  Status status;
  std::string seen;  // kFailed: what was seen; kSkipped: why it was not run
  // kSkipped: because a check failed that it needs, directly or not, or with the same fault.
  bool blocked = false;
  // The text of a ServiceMisuse that it came upon, for which another check convicts the plugin.
  std::string misuse{};
  std::string differs{};  // kFailed: the hook of an AnswersDiffer
};

struct FileResults {
  std::string file;
  std::string plugin;  // the name in its note; empty: it cannot be read
  std::vector<Result> results;

  size_t count(Status status) const;
};

struct RunOptions {
  std::vector<const Check*> checks;  // and those that they need; empty: all
  std::chrono::milliseconds limit = std::chrono::seconds(10);  // of one check
};

// A fault is reported once: checks that need one that failed are skipped, and so are those that end
// with an AnswersDiffer about a hook whose answers differ in a check before. A ServiceMisuse
// convicts a plugin in the check of services; in another one if that one is not run or does not see
// it.
//
// Requires: the process has one thread. Throws Error if no process can be started.
FileResults run_checks(const Subject& subject, const RunOptions& options);

}  // namespace berth::validator
