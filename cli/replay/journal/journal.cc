#include "cli/replay/journal/journal.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/replay/journal/packed.h"
#include "engine/base/error.h"
#include "engine/base/io/frame.h"

namespace berth::cli {
namespace {

constexpr size_t kKindAt = 5;  // in a frame's header

bool is_settings(std::span<const uint8_t> head) {
  return begins_like_frame(head) && head[kKindAt] == static_cast<uint8_t>(JournalFrame::kSettings);
}

// Gives the pieces of an input, and says where the recorded run would have had to wait.
class PiecesSource final : public ByteSource {
 public:
  PiecesSource(std::span<const std::span<const uint8_t>> pieces, std::string name)
      : pieces_(pieces), name_(std::move(name)) {}

  size_t read(std::span<uint8_t> out) override {
    while (!pieces_.empty() && read_ == pieces_.front().size()) next_piece();
    if (pieces_.empty()) return 0;
    const std::span<const uint8_t> left = pieces_.front().subspan(read_);
    const size_t size = std::min(left.size(), out.size());
    std::copy_n(left.begin(), size, out.begin());
    read_ += size;
    return size;
  }
  bool ready() override {
    if (!pieces_.empty() && read_ == pieces_.front().size() && read_ != 0) next_piece();
    if (pieces_.empty() || !pieces_.front().empty()) return true;
    next_piece();
    return false;
  }
  const std::string& name() const override { return name_; }

 private:
  void next_piece() {
    pieces_ = pieces_.subspan(1);
    read_ = 0;
  }

  std::span<const std::span<const uint8_t>> pieces_;
  size_t read_ = 0;  // of the first piece
  std::string name_;
};

}  // namespace

bool holds_journal(const std::string& path) try {
  std::error_code none;  // what can be read once is left to its reader
  if (!std::filesystem::is_regular_file(path, none)) return false;
  FileSource file(path);
  std::vector<uint8_t> head(kFrameHeaderSize);
  return file.read(head) == head.size() && is_settings(head);
} catch (const Error&) {
  return false;
}

Journal::Journal(const std::string& path) : path_(path), bytes_(read_file(path)) {
  try {
    read();
  } catch (const Error& error) {
    throw Error(Place{.file = path, .field = {}}, error.message());
  }
  if (settings_.options.empty())
    throw Error(Place{.file = path, .field = {}},
                "the journal ends before its first whole frame, so nothing can be played");
}

void Journal::read() {
  const std::span<const uint8_t> all(reinterpret_cast<const uint8_t*>(bytes_.data()),
                                     bytes_.size());
  MemorySource source(all, path_);
  FrameReader frames(source);
  while (true) {
    const FrameReader::Item item = frames.next();
    const auto* frame = std::get_if<Frame>(&item);
    if (frame == nullptr) return;  // behind damage nothing counts
    take(static_cast<JournalFrame>(frame->kind),
         all.subspan(frame->offset + kFrameHeaderSize, frame->payload.size()));
    whole_ = frame->offset + kFrameHeaderSize + frame->payload.size();
  }
}

void Journal::take(JournalFrame kind, std::span<const uint8_t> payload) {
  if ((kind == JournalFrame::kSettings) != (whole_ == 0))
    throw Error("not a journal: its settings are not its first frame");
  switch (kind) {
    case JournalFrame::kSettings:
      settings_ =
          JournalSettings::read({reinterpret_cast<const char*>(payload.data()), payload.size()});
      inputs_.resize(settings_.inputs.size());
      return;
    case JournalFrame::kInput:
      return take_input(payload);
    case JournalFrame::kDecisions:
      return decisions_.add(payload);
    case JournalFrame::kMachine:
      return machine_.add(payload);
    case JournalFrame::kEnd:
      return take_end(payload);
  }
  throw Error("not a journal: it has a frame of another kind");
}

void Journal::take_input(std::span<const uint8_t> payload) {
  Unpacker from(payload);
  const uint64_t number = from.number();
  if (number >= inputs_.size())
    throw Error("the journal has bytes of an input that it does not name");
  Input& input = inputs_[number];
  const uint64_t piece = from.number();
  if (piece > static_cast<uint64_t>(InputPiece::kEnd))
    throw Error("the journal has a piece of an input of an unknown kind");
  const std::span<const uint8_t> bytes = from.rest();
  const bool has_bytes = static_cast<InputPiece>(piece) == InputPiece::kBytes;
  if (input.ended || has_bytes == bytes.empty())
    throw Error("the journal has a piece of an input where none can be");
  input.ended = static_cast<InputPiece>(piece) == InputPiece::kEnd;
  if (!input.ended) input.pieces.push_back(bytes);
}

void Journal::take_end(std::span<const uint8_t> payload) {
  Unpacker from(payload);
  const uint64_t decisions = from.number();
  const uint64_t hash = from.number();
  if (decisions != decisions_.size()) throw Error("the journal has not all of its decisions");
  end_ = {.decisions = decisions, .hash = hash, .interrupted = from.number() != 0};
}

bool Journal::has_files() const {
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (!settings_.inputs[i].live && !inputs_[i].ended) return false;
  return true;
}

std::unique_ptr<ByteSource> Journal::input(size_t number) const {
  return std::make_unique<PiecesSource>(inputs_[number].pieces, settings_.inputs[number].path);
}

}  // namespace berth::cli
