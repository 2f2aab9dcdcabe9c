#pragma once

// Writes a journal: frames, of which each is complete when the call that writes it returns. So a
// run that is killed leaves a journal that can be played up to its last whole frame.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cli/replay/journal/journal_settings.h"
#include "engine/base/io/frame.h"
#include "engine/base/io/io.h"
#include "engine/base/mutex.h"

namespace berth::cli {

// Inputs are written by the threads that read them, all else by that of the core: a lock keeps
// frames whole. It is taken once for a piece of input and once for some hundred decisions. All
// calls throw Error if writing fails.
class JournalWriter {
 public:
  // Creates the file, or truncates it.
  explicit JournalWriter(const std::string& path) : sink_(path) {}

  void settings(const JournalSettings& settings);
  // Bytes of an input, after those before.
  void input(uint32_t number, std::span<const uint8_t> bytes);
  void input(uint32_t number, InputPiece piece) { write_input(number, piece, {}); }
  // A whole file.
  void file(uint32_t number, const std::string& path);
  void frame(JournalFrame kind, std::span<const uint8_t> payload);

 private:
  void write_input(uint32_t number, InputPiece piece, std::span<const uint8_t> bytes);

  Mutex mutex_;
  FileSink sink_;
  FrameWriter frames_ BERTH_GUARDED_BY(mutex_){sink_};
};

}  // namespace berth::cli
