#include "cli/replay/journal/journal_writer.h"

#include <algorithm>

#include "cli/replay/journal/packed.h"
#include "engine/base/error.h"

namespace berth::cli {
namespace {

// Less than a frame holds, by more than what stands in front of the bytes.
constexpr size_t kPiece = kMaxFramePayload - 64;

}  // namespace

void JournalWriter::frame(JournalFrame kind, std::span<const uint8_t> payload) {
  if (payload.size() > kMaxFramePayload)
    throw Error("--record: the run names more inputs than a journal can hold");
  const MutexLock lock(mutex_);
  frames_.write(static_cast<uint8_t>(kind), payload);
}

void JournalWriter::settings(const JournalSettings& settings) {
  const std::string json = settings.to_json();
  frame(JournalFrame::kSettings, {reinterpret_cast<const uint8_t*>(json.data()), json.size()});
}

void JournalWriter::write_input(uint32_t number, InputPiece piece, std::span<const uint8_t> bytes) {
  Packer packer;
  packer.number(number);
  packer.number(static_cast<uint64_t>(piece));
  packer.bytes(bytes);
  frame(JournalFrame::kInput, packer.packed());
}

void JournalWriter::input(uint32_t number, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const size_t size = std::min(bytes.size(), kPiece);
    write_input(number, InputPiece::kBytes, bytes.first(size));
    bytes = bytes.subspan(size);
  }
}

void JournalWriter::file(uint32_t number, const std::string& path) {
  FileSource source(path);
  std::vector<uint8_t> piece(kPiece);
  while (const size_t size = source.read(piece)) input(number, std::span(piece).first(size));
  input(number, InputPiece::kEnd);
}

}  // namespace berth::cli
