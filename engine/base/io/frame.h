#pragma once

// Frames: messages in a file or a pipe, such that damage to some bytes is detected and costs only
// the frames that contain them. abi/schema/README.md describes the payloads.
//
//   offset  bytes   content
//   ------  ------  -------
//   0       4       magic: BE 52 54 48
//   4       1       version of the format: determines what the payload may contain
//   5       1       kind of the payload; not interpreted here
//   6       2       zero
//   8       4       length of the payload in bytes, at most 1 MiB
//   12      4       CRC-32C of the 12 bytes before, so that a reader can trust the length early
//   16      4       CRC-32C of the first 16 bytes and the payload
//   20      length  payload
//
// Numbers are little-endian. Frames follow each other without a gap. Every single-bit error is
// detected; other damage goes unnoticed with probability 2^-32.

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
inline constexpr uint8_t kFrameVersion = 4;  // the one that is written and read
inline constexpr size_t kFrameHeaderSize = 20;
inline constexpr size_t kMaxFramePayload = size_t{1} << 20;

// True if the bytes begin with a frame's magic number (4 bytes). No JSON or YAML text does.
bool begins_like_frame(std::span<const uint8_t> beginning);

// Writes frames, each with one write() of the sink. Not thread-safe.
class FrameWriter {
 public:
  explicit FrameWriter(ByteSink& sink) : sink_(sink) {}

  // Requires payload.size() <= kMaxFramePayload. Throws Error if the sink does.
  void write(uint8_t kind, std::span<const uint8_t> payload);

 private:
  ByteSink& sink_;
  std::vector<uint8_t> buffer_;
};

struct Frame {
  uint64_t offset = 0;  // of its header, in bytes from the start of the stream
  uint8_t kind = 0;
  std::span<const uint8_t> payload;  // valid until the next call of the reader; not aligned
};

// A run of bytes that belongs to no valid frame. It ends at the next valid frame or at the end of
// the stream.
struct Damage {
  uint64_t offset = 0;
  uint64_t length = 0;
  std::string message;  // the error at its first byte
};

struct EndOfFrames {
  uint64_t offset = 0;  // length of the stream in bytes
};

// Reads frames from a growing stream. It blocks only for bytes that the current frame needs. After
// damage it resumes at the next byte from which a whole frame is valid, so no valid frame is lost.
// The work is linear in the length of the stream (times a logarithm), whatever its bytes are. Not
// thread-safe.
class FrameReader {
 public:
  explicit FrameReader(ByteSource& source);

  using Item = std::variant<Frame, Damage, EndOfFrames>;

  // The next item in stream order; EndOfFrames repeatedly at the end. Throws Error if reading
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
  std::vector<uint8_t> buffer_;  // [begin_, end_) was read and not consumed yet
  size_t begin_ = 0;
  size_t end_ = 0;
  uint64_t offset_ = 0;  // of begin_, in the stream
  size_t frame_ = 0;     // size of the last frame returned, which begins at begin_
  bool exhausted_ = false;
  Crc32cParts parts_;  // CRCs of parts of buffer_; used while skipping damage
};

}  // namespace berth
