#pragma once

// A journal, as `berth run --record` writes it, read up to its last whole frame. Its bytes are not
// trusted.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/replay/journal/decisions.h"
#include "cli/replay/journal/journal_settings.h"
#include "cli/replay/journal/machine_answers.h"
#include "engine/base/io/io.h"

namespace berth::cli {

// True if the file begins with a frame of a journal. False for files that cannot be read, and for
// pipes and sockets, of which nothing is read.
bool holds_journal(const std::string& path);

class Journal {
 public:
  struct End {
    uint64_t decisions = 0, hash = 0;
    bool interrupted = false;
  };

  // "-" is standard input. Throws Error if the file cannot be read, is no journal, or has a frame
  // that is whole and malformed.
  explicit Journal(const std::string& path);

  const std::string& path() const { return path_; }
  const JournalSettings& settings() const { return settings_; }
  const DecisionList& decisions() const { return decisions_; }
  MachineAnswers& machine() { return machine_; }
  // Nothing: the journal is cut short.
  const std::optional<End>& end() const { return end_; }
  // Bytes behind the last whole frame.
  uint64_t cut_off() const { return bytes_.size() - whole_; }
  // False: it was cut while the files of the run were copied, so that nothing can be played.
  bool has_files() const;
  // The bytes of an input from the first on, with the pauses of the recorded run. The journal
  // outlives it. Precondition: there is an input of that number.
  std::unique_ptr<ByteSource> input(size_t number) const;

 private:
  // Empty: a pause.
  using Pieces = std::vector<std::span<const uint8_t>>;
  struct Input {
    Pieces pieces;
    bool ended = false;
  };

  void read();
  void take(JournalFrame kind, std::span<const uint8_t> payload);
  void take_input(std::span<const uint8_t> payload);
  void take_end(std::span<const uint8_t> payload);

  std::string path_;
  std::string bytes_;
  uint64_t whole_ = 0;
  JournalSettings settings_;
  std::vector<Input> inputs_;
  DecisionList decisions_;
  MachineAnswers machine_;
  std::optional<End> end_;
};

}  // namespace berth::cli
