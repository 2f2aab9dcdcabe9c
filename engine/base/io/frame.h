#pragma once

// Frames: how a stream of messages lies in a file or goes through a pipe, so that whatever happened
// to some of its bytes is noticed and costs the frames it hit and no others.
//
//   offset  bytes  what
//   ------  -----  ----
//   - 0     4      magic: BE 52 54 48
//   - 4     1      version of the whole format: 1 or 2; what the payload may have
//   - 5     1      kind: what the payload is; for whoever reads it
//   - 6     2      zero
//   - 8     4      length of the payload; at most 1 MiB
//   - 12    4      CRC-32C of the 12 bytes before: the length can be trusted before the payload is
//                  there
//   - 16    4      CRC-32C of the first 16 bytes and the payload
//   - 20    length payload
//
// Numbers are little-endian. Frames follow each other without a gap. A single wrong bit is noticed
// for certain, anything else but for one case in four billion.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/io/crc32c.h"
#include "engine/base/io/io.h"

namespace berth {

inline constexpr uint8_t kFrameMagic[4] = {0xbe, 'R', 'T', 'H'};
inline constexpr uint8_t kFrameVersion = 2;  // the newest; readers read all up to it
inline constexpr size_t kFrameHeaderSize = 20;
inline constexpr size_t kMaxFramePayload = size_t{1} << 20;

// Whether a text that begins like this is a stream of frames. No JSON or YAML does. Four bytes are
// enough.
bool begins_like_frame(std::span<const uint8_t> beginning);

// Writes the frame in one piece. Requires: payload.size() <= kMaxFramePayload.
class FrameWriter {
 public:
  explicit FrameWriter(ByteSink& sink) : sink_(sink) {}

  // Another version only for payloads that keep to that one.
  void write(uint8_t kind, std::span<const uint8_t> payload, uint8_t version = kFrameVersion);

 private:
  ByteSink& sink_;
  std::vector<uint8_t> buffer_;
};

struct Frame {
  uint64_t offset = 0;  // of its header, in the stream
  uint8_t version = 0;
  uint8_t kind = 0;
  std::span<const uint8_t> payload;  // valid until the next call of the reader; not aligned
};

// Bytes that are not a frame, up to the next one that is right from end to end, or to the end.
struct Damage {
  uint64_t offset = 0;
  uint64_t length = 0;
  std::string message;  // what is wrong at its beginning
};

struct EndOfFrames {
  uint64_t offset = 0;  // how long the stream was
};

// Reads frames while they come: waits for as many bytes as the frame in hand needs, never for more.
// After damage it looks for the next byte from which a whole frame is right, so no good frame is
// lost; the work is linear in the bytes of the stream, whatever they are (but for a logarithm).
class FrameReader {
 public:
  explicit FrameReader(ByteSource& source);

  using Item = std::variant<Frame, Damage, EndOfFrames>;

  // In the order of the stream. After EndOfFrames: again EndOfFrames. Throws Error if reading
  // fails.
  Item next();

 private:
  const uint8_t* at() const { return buffer_.data() + begin_; }
  size_t available() const { return end_ - begin_; }
  void advance(size_t count);
  bool fill(size_t wanted);
  void make_room(size_t wanted);
  std::string header_problem();
  std::string problem(bool damaged_before);
  Damage skip_damage(std::string message);

  ByteSource& source_;
  std::vector<uint8_t> buffer_;  // what was read and not given out yet is [begin_, end_)
  size_t begin_ = 0;
  size_t end_ = 0;
  uint64_t offset_ = 0;  // of begin_, in the stream
  size_t frame_ = 0;     // size of the frame given out last, which begins at begin_
  bool exhausted_ = false;
  Crc32cParts parts_;  // over buffer_, from its first byte; used while skipping damage
};

}  // namespace berth
