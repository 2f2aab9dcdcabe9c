#include "engine/base/io/frame.h"

#include <bit>
#include <cstring>
#include <utility>

#include "engine/base/assert.h"

namespace berth {
namespace {

constexpr size_t kVersionAt = 4;
constexpr size_t kKindAt = 5;
constexpr size_t kZeroAt = 6;
constexpr size_t kLengthAt = 8;
constexpr size_t kHeaderCrcAt = 12;
constexpr size_t kCrcAt = 16;

constexpr size_t kMaxFrame = kFrameHeaderSize + kMaxFramePayload;
constexpr size_t kFirstBufferSize = size_t{1} << 16;

uint32_t load32(const uint8_t* from) {
  return uint32_t{from[0]} | uint32_t{from[1]} << 8 | uint32_t{from[2]} << 16 |
         uint32_t{from[3]} << 24;
}

void store32(uint8_t* to, uint32_t value) {
  for (int byte = 0; byte < 4; ++byte) to[byte] = static_cast<uint8_t>(value >> (8 * byte));
}

}  // namespace

bool begins_like_frame(std::span<const uint8_t> beginning) {
  return beginning.size() >= sizeof kFrameMagic &&
         std::memcmp(beginning.data(), kFrameMagic, sizeof kFrameMagic) == 0;
}

void FrameWriter::write(uint8_t kind, std::span<const uint8_t> payload) {
  BERTH_ASSERT(payload.size() <= kMaxFramePayload);
  buffer_.assign(kFrameHeaderSize, 0);
  uint8_t* header = buffer_.data();
  std::memcpy(header, kFrameMagic, sizeof kFrameMagic);
  header[kVersionAt] = kFrameVersion;
  header[kKindAt] = kind;
  store32(header + kLengthAt, static_cast<uint32_t>(payload.size()));
  store32(header + kHeaderCrcAt, crc32c({header, kHeaderCrcAt}));
  store32(header + kCrcAt, crc32c(payload, crc32c({header, kCrcAt})));
  buffer_.insert(buffer_.end(), payload.begin(), payload.end());
  sink_.write(buffer_);
}

FrameReader::FrameReader(ByteSource& source) : source_(source), buffer_(kFirstBufferSize) {}

FrameReader::Item FrameReader::next() {
  advance(std::exchange(frame_, 0));
  if (!fill(1)) return EndOfFrames{offset_};
  if (std::string message = problem(false); !message.empty()) {
    return skip_damage(std::move(message));
  }
  const size_t length = load32(at() + kLengthAt);
  frame_ = kFrameHeaderSize + length;
  return Frame{offset_, at()[kKindAt], {at() + kFrameHeaderSize, length}};
}

void FrameReader::advance(size_t count) {
  BERTH_ASSERT(count <= available());
  begin_ += count;
  offset_ += count;
}

// Reads until at least `wanted` bytes are available. False: the stream ends before that.
bool FrameReader::fill(size_t wanted) {
  if (available() >= wanted) return true;
  make_room(wanted);
  while (available() < wanted && !exhausted_) {
    const size_t count = source_.read(std::span(buffer_).subspan(end_));
    exhausted_ = count == 0;
    end_ += count;
  }
  return available() >= wanted;
}

void FrameReader::make_room(size_t wanted) {
  BERTH_ASSERT(wanted <= kMaxFrame);
  if (begin_ != end_ && begin_ + wanted <= buffer_.size()) return;
  std::memmove(buffer_.data(), at(), available());
  end_ = available();
  begin_ = 0;
  // Twice the wanted size: the remaining bytes are moved to the front at most once per as many
  // bytes of progress, so the total work of moving is linear. Most streams have no frame that needs
  // a larger buffer.
  if (buffer_.size() < 2 * wanted) buffer_.resize(std::bit_ceil(2 * wanted));
  parts_.reset(buffer_.data());
}

// The error in the header at begin_; empty if it is valid.
std::string FrameReader::header_problem() {
  const bool whole = fill(kFrameHeaderSize);
  if (!begins_like_frame({at(), available()})) return "no frame begins here";
  if (!whole) {
    return "the stream ends within the header of a frame (" + std::to_string(available()) + " of " +
           std::to_string(kFrameHeaderSize) + " bytes)";
  }
  if (crc32c({at(), kHeaderCrcAt}) != load32(at() + kHeaderCrcAt)) {
    return "the header of the frame is damaged (its CRC differs)";
  }
  if (at()[kVersionAt] != kFrameVersion) {
    return "the frame has version " + std::to_string(at()[kVersionAt]) +
           " of the format, and this reader knows version " + std::to_string(kFrameVersion);
  }
  if (at()[kZeroAt] != 0 || at()[kZeroAt + 1] != 0) {
    return "the reserved bytes of the frame's header are not zero";
  }
  if (const uint32_t length = load32(at() + kLengthAt); length > kMaxFramePayload) {
    return "the frame is " + std::to_string(length) + " bytes long, more than the " +
           std::to_string(kMaxFramePayload) + " that a frame may have";
  }
  return {};
}

// The error in the frame at begin_; empty if it is valid. In damaged bytes many overlapping
// candidates may have to be checked, so their CRCs come from parts_.
std::string FrameReader::problem(bool damaged_before) {
  if (std::string message = header_problem(); !message.empty()) return message;
  const size_t length = load32(at() + kLengthAt);
  if (!fill(kFrameHeaderSize + length)) {
    return "the stream ends within a frame (" + std::to_string(available() - kFrameHeaderSize) +
           " of " + std::to_string(length) + " bytes)";
  }
  const uint32_t head = crc32c({at(), kCrcAt});
  const size_t payload = begin_ + kFrameHeaderSize;
  const uint32_t crc = damaged_before
                           ? crc32c_concatenated(head, parts_.of(payload, payload + length), length)
                           : crc32c({buffer_.data() + payload, length}, head);
  if (crc != load32(at() + kCrcAt)) return "the frame is damaged (its CRC differs)";
  return {};
}

Damage FrameReader::skip_damage(std::string message) {
  const uint64_t start = offset_;
  parts_.reset(buffer_.data());
  for (advance(1); fill(1); advance(1)) {
    const void* found = std::memchr(at(), kFrameMagic[0], available());
    if (found == nullptr) {
      advance(available() - 1);
      continue;
    }
    advance(static_cast<size_t>(static_cast<const uint8_t*>(found) - at()));
    if (problem(true).empty()) break;
  }
  return {start, offset_ - start, std::move(message)};
}

}  // namespace berth
