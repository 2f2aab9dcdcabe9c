#include "engine/base/io/frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cstring>

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Bytes = std::vector<uint8_t>;

Bytes frame(uint8_t kind, const Bytes& payload) {
  MemorySink sink;
  FrameWriter(sink).write(kind, payload);
  return sink.bytes();
}

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct Seen {
  std::vector<Bytes> payloads;
  std::vector<uint64_t> offsets;
  std::vector<std::string> damages;  // "offset+length: message"
  uint64_t size = 0;
};

Seen read(const Bytes& stream, size_t piece = SIZE_MAX) {
  MemorySource source(stream, "memory", piece);
  FrameReader reader(source);
  Seen seen;
  for (;;) {
    const FrameReader::Item item = reader.next();
    if (const auto* good = std::get_if<Frame>(&item)) {
      seen.payloads.emplace_back(good->payload.begin(), good->payload.end());
      seen.offsets.push_back(good->offset);
    } else if (const auto* damage = std::get_if<Damage>(&item)) {
      seen.damages.push_back(std::to_string(damage->offset) + "+" + std::to_string(damage->length) +
                             ": " + damage->message);
    } else {
      seen.size = std::get<EndOfFrames>(item).offset;
      return seen;
    }
  }
}

const Bytes kA = frame(1, {'a'});
const Bytes kB = frame(2, {'b', 'b', 'b'});
const Bytes kC = frame(3, {});

TEST(Frame, LiesInTheStreamAsDocumented) {
  Bytes expected = {0xbe, 'R', 'T', 'H', kFrameVersion, 2, 0, 0, 3, 0, 0, 0};
  const auto append = [&](uint32_t crc) {
    for (int i = 0; i < 4; ++i) expected.push_back(static_cast<uint8_t>(crc >> (8 * i)));
  };
  append(crc32c(expected));
  append(crc32c(Bytes{'b', 'b', 'b'}, crc32c(expected)));
  EXPECT_EQ(kB, expected + Bytes({'b', 'b', 'b'}));
}

TEST(Frame, ComesInOrderWithItsKindAndOffset) {
  const Seen seen = read(kA + kB + kC);
  EXPECT_THAT(seen.payloads, ElementsAre(Bytes{'a'}, Bytes{'b', 'b', 'b'}, Bytes{}));
  EXPECT_THAT(seen.offsets, ElementsAre(0, kA.size(), kA.size() + kB.size()));
  EXPECT_THAT(seen.damages, IsEmpty());
  EXPECT_EQ(seen.size, kA.size() + kB.size() + kC.size());
}

TEST(Frame, AnEmptyStreamHasNone) { EXPECT_THAT(read({}).damages, IsEmpty()); }

RC_GTEST_PROP(Frame, EveryPayloadComesBackHoweverTheBytesCome,
              (const std::vector<Bytes>& payloads)) {
  Bytes stream;
  for (const Bytes& payload : payloads) stream = stream + frame(9, payload);
  const Seen seen = read(stream, *rc::gen::inRange<size_t>(1, 50));
  RC_ASSERT(seen.payloads == payloads);
  RC_ASSERT(seen.damages.empty());
}

TEST(Frame, TheLargestPayloadsComeBack) {
  const Bytes large(kMaxFramePayload, 'x');
  const Bytes stream = frame(1, large) + kA + frame(1, large) + frame(1, large) + kB;
  const Seen seen = read(stream, 100'000);
  EXPECT_THAT(seen.payloads, ElementsAre(large, Bytes{'a'}, large, large, Bytes{'b', 'b', 'b'}));
}

// The reader's buffer grows with the frames, also while it searches damaged bytes for the next
// frame.
TEST(Frame, EachCanBeMuchLargerThanTheOneBefore) {
  Bytes stream;
  std::vector<Bytes> payloads;
  for (size_t size = 1; size <= kMaxFramePayload; size *= 4) {
    payloads.emplace_back(size, 'x');
    stream = stream + Bytes({'j', 0xbe}) + frame(1, payloads.back());
  }
  const Seen seen = read(stream, 10'000);
  EXPECT_EQ(seen.payloads, payloads);
  EXPECT_EQ(seen.damages.size(), payloads.size());
}

TEST(Frame, EverySingleWrongBitCostsItsFrameOnly) {
  const Bytes stream = kA + kB + kA;
  for (size_t bit = 0; bit < 8 * kB.size(); ++bit) {
    Bytes wrong = stream;
    wrong[kA.size() + bit / 8] ^= static_cast<uint8_t>(1 << (bit % 8));
    const Seen seen = read(wrong);
    EXPECT_THAT(seen.payloads, ElementsAre(Bytes{'a'}, Bytes{'a'})) << "bit " << bit;
    ASSERT_EQ(seen.damages.size(), 1u) << "bit " << bit;
    EXPECT_THAT(seen.damages[0], HasSubstr("21+23: ")) << "bit " << bit;
  }
}

TEST(Frame, EveryTruncationIsNoticed) {
  const Bytes stream = kA + kB;
  for (size_t size = kA.size() + 1; size < stream.size(); ++size) {
    const Seen seen = read(Bytes(stream.begin(), stream.begin() + size));
    EXPECT_THAT(seen.payloads, ElementsAre(Bytes{'a'}));
    ASSERT_EQ(seen.damages.size(), 1u) << size;
  }
}

TEST(Frame, DamageIsToldWithWhatIsWrong) {
  EXPECT_THAT(read({'x'}).damages, ElementsAre("0+1: no frame begins here"));
  EXPECT_THAT(read(Bytes({'j', 'u', 'n', 'k'}) + kA).damages,
              ElementsAre("0+4: no frame begins here"));
  EXPECT_THAT(read(Bytes(kB.begin(), kB.begin() + 10)).damages,
              ElementsAre("0+10: the stream ends within the header of a frame (10 of 20 bytes)"));
  EXPECT_THAT(read(Bytes(kB.begin(), kB.end() - 1)).damages,
              ElementsAre("0+22: the stream ends within a frame (2 of 3 bytes)"));
  Bytes wrong = kB;
  wrong[8] = 4;
  EXPECT_THAT(read(wrong).damages,
              ElementsAre("0+23: the header of the frame is damaged (its CRC differs)"));
  wrong = kB;
  wrong[22] = 'c';
  EXPECT_THAT(read(wrong).damages, ElementsAre("0+23: the frame is damaged (its CRC differs)"));
}

// A header with valid CRCs and the given other fields.
Bytes forged(uint8_t version, uint8_t zero, uint32_t length, const Bytes& payload) {
  Bytes bytes = {0xbe, 'R', 'T', 'H', version, 1, zero, 0};
  const auto append = [&](uint32_t number) {
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(number >> (8 * i)));
  };
  append(length);
  append(crc32c(bytes));
  append(crc32c(payload, crc32c(bytes)));
  return bytes + payload;
}

TEST(Frame, HeadersThatNoWriterWritesAreRefused) {
  EXPECT_THAT(read(forged(5, 0, 1, {'x'}) + kA).damages,
              ElementsAre("0+21: the frame has version 5 of the format, and this reader knows "
                          "version 4"));
  EXPECT_THAT(read(forged(3, 0, 1, {'x'}) + kA).damages,
              ElementsAre("0+21: the frame has version 3 of the format, and this reader knows "
                          "version 4"));
  EXPECT_THAT(read(forged(4, 5, 1, {'x'}) + kA).damages,
              ElementsAre("0+21: the reserved bytes of the frame's header are not zero"));
  EXPECT_THAT(
      read(forged(4, 0, 1 << 21, Bytes(1 << 21, 'x')) + kA).damages,
      ElementsAre("0+2097172: the frame is 2097152 bytes long, more than the 1048576 that a "
                  "frame may have"));
}

TEST(Frame, AFrameInsideADamagedOneIsFound) {
  // A writer was stopped within a frame, and another writer appended to its output.
  const Bytes cut = frame(1, Bytes(1000, 'x'));
  const Bytes stream = Bytes(cut.begin(), cut.begin() + 100) + kA + kB;
  const Seen seen = read(stream, 7);
  EXPECT_THAT(seen.payloads, ElementsAre(Bytes{'a'}, Bytes{'b', 'b', 'b'}));
  EXPECT_THAT(seen.damages, ElementsAre(HasSubstr("0+100: ")));
}

RC_GTEST_PROP(Frame, NoGoodFrameBesideJunkIsLost, ()) {
  Bytes stream;
  std::vector<Bytes> expected;
  for (int i = *rc::gen::inRange(0, 20); i > 0; --i) {
    if (*rc::gen::arbitrary<bool>()) {
      expected.push_back(*rc::gen::arbitrary<Bytes>());
      stream = stream + frame(1, expected.back());
    } else {
      // Junk that resembles frames: truncated headers, and headers with a length beyond the end. A
      // header with length 0 would be a valid frame.
      Bytes junk = forged(1, 0, *rc::gen::inRange<uint32_t>(1, 100), {});
      junk.resize(*rc::gen::inRange<size_t>(0, junk.size() + 1));
      stream = stream + junk;
    }
  }
  RC_ASSERT(read(stream, *rc::gen::inRange<size_t>(1, 60)).payloads == expected);
}

// The worst case of the search for the next frame: every 20 bytes there is a header with length 1
// MiB.
TEST(Frame, ManyOverlappingPromisesAreSearchedInLinearTime) {
  Bytes stream;
  const Bytes promise = forged(1, 0, kMaxFramePayload, {});
  while (stream.size() < 3 * kMaxFramePayload) {
    stream.insert(stream.end(), promise.begin(), promise.end());
  }
  stream = stream + kB;
  const auto start = std::chrono::steady_clock::now();
  const Seen seen = read(stream);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_THAT(seen.payloads, ElementsAre(Bytes{'b', 'b', 'b'}));
  EXPECT_EQ(seen.damages.size(), 1u);
  // Computing each CRC from its bytes would take 150,000 times 1 MiB: at least ten seconds.
  RecordProperty("milliseconds", static_cast<int>(took.count() * 1000));
  EXPECT_LT(took.count(), 5.0);
}

TEST(Frame, BeginsLikeOne) {
  EXPECT_TRUE(begins_like_frame(kA));
  EXPECT_FALSE(begins_like_frame(Bytes{'{'}));
  EXPECT_FALSE(begins_like_frame(Bytes{0xbe, 'R', 'T'}));
}

}  // namespace
}  // namespace berth
