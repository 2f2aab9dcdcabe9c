#pragma once

// The inputs of a journal in the place of the files that the recorded run read, which may be gone
// or different by now.

#include <string>
#include <utility>
#include <vector>

#include "cli/replay/journal/journal.h"
#include "cli/run/run_options.h"
#include "engine/base/program/message_scope.h"

namespace berth::cli {

class PlayedInputs {
 public:
  // Configurations and folders are written to a folder of their own, which goes with the object;
  // others are read from the journal, which outlives it. Throws Error.
  explicit PlayedInputs(const Journal& journal);
  PlayedInputs(const PlayedInputs&) = delete;
  PlayedInputs& operator=(const PlayedInputs&) = delete;
  ~PlayedInputs();

  // The options of the recorded run, with these names of inputs. Throws Error if they name others.
  std::vector<JournalOption> options() const;
  // Makes the run read them.
  void attach(RunOptions& run) const;
  // The names that the user gave them.
  std::vector<MessageScope::Name> names() const { return names_; }

 private:
  void write_file(size_t number, const std::string& to) const;
  void add_name(const std::string& given, std::string made);
  std::string made_name(const std::string& given) const;

  const Journal& journal_;
  std::string folder_;  // empty: none was needed
  std::vector<MessageScope::Name> names_;
};

}  // namespace berth::cli
