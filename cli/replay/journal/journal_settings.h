#pragma once

// The first frame of a journal: the options of the run, and the inputs that it read.

#include <string>
#include <string_view>
#include <vector>

namespace berth::cli {

// Kinds of a journal's frames, besides those of streams (abi/schema/frame.fbs).
enum class JournalFrame : uint8_t {
  kSettings = 32,   // the JSON of JournalSettings
  kInput = 33,      // bytes of an input: its number, an InputPiece, the bytes
  kDecisions = 34,  // of attempts in order, see DecisionPacker
  kMachine = 35,    // what the wall clock said, see MachineAnswers
  kEnd = 36         // the numbers of decisions, the hash, and whether the run was interrupted
};

enum class InputPiece : uint8_t {
  kBytes,  // the bytes that follow those before
  kPause,  // the run would have had to wait for more
  kEnd     // there is no more
};

struct JournalInput {
  std::string path;    // as the user named it
  std::string folder;  // that it is a file of; empty: it was named itself
  bool live = false;   // standard input, a socket or a pipe
};

struct JournalOption {
  std::string name;  // "--seed"; "FILE" for what has no name
  std::vector<std::string> values;
};

struct JournalSettings {
  std::string program;  // the version of berth
  std::vector<JournalOption> options;
  std::vector<JournalInput> inputs;  // by number

  std::string to_json() const;
  // Throws Error if it is none.
  static JournalSettings read(std::string_view json);
};

}  // namespace berth::cli
