// Faulty frames are reported with their place and do not affect others.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "engine/ingest/stream/testing/stream_faults_for_tests.h"

namespace berth::ingest {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Bytes small_stream() {
  MemorySink sink;
  StreamWriter writer(sink);
  const uint32_t id = writer.template_id({});
  add_pod(writer, id, "pod-1");
  add_pod(writer, id, "pod-2");
  writer.end();
  return sink.bytes();
}

TEST(StreamFault, EverySingleWrongBitIsNoticed) {
  const Bytes stream = small_stream();
  ASSERT_THAT(read(stream).faults, IsEmpty());
  for (size_t bit = 0; bit < 8 * stream.size(); ++bit) {
    Bytes wrong = stream;
    wrong[bit / 8] ^= static_cast<uint8_t>(1 << (bit % 8));
    const Seen seen = read(wrong);
    ASSERT_FALSE(seen.faults.empty()) << "bit " << bit;
    // One frame is damaged. At least one pod arrives, unless it was the template.
    ASSERT_TRUE(!seen.pods.empty() || seen.templates == 0) << "bit " << bit;
  }
}

TEST(StreamFault, EveryTruncationIsNoticed) {
  const Bytes stream = small_stream();
  for (size_t size = 0; size < stream.size(); ++size) {
    const Seen seen = read(Bytes(stream.begin(), stream.begin() + size));
    ASSERT_FALSE(seen.faults.empty()) << size;
    ASSERT_FALSE(seen.end) << size;
    EXPECT_THAT(seen.faults.back(), HasSubstr("byte " + std::to_string(size) +
                                              ": the stream ends without an end mark"));
  }
}

TEST(StreamFault, DamageIsToldWithItsPlaceAndCounted) {
  Bytes stream = small_stream();
  stream.insert(stream.begin(), {'j', 'u', 'n', 'k'});
  const Seen seen = read(stream);
  EXPECT_THAT(seen.faults,
              ElementsAre("s: byte 0: no frame begins here; 4 bytes were passed over"));
  EXPECT_THAT(seen.pods, ElementsAre("pod-1", "pod-2"));
  EXPECT_EQ(seen.counts.damaged_bytes, 4u);
  EXPECT_EQ(seen.counts.pods, 2u);
  EXPECT_EQ(seen.counts.frames, 4u);
}

TEST(StreamFault, TheEndMarkKnowsWhatIsMissing) {
  MemorySink sink;
  StreamWriter writer(sink);
  const uint32_t id = writer.template_id({});
  add_pod(writer, id, "pod-1");
  const size_t begin = sink.bytes().size();
  add_pod(writer, id, "pod-2");
  const size_t end = sink.bytes().size();
  writer.end();
  Bytes stream = sink.bytes();
  stream.erase(stream.begin() + begin, stream.begin() + end);
  const Seen seen = read(stream);
  EXPECT_THAT(seen.faults,
              ElementsAre(HasSubstr("the end mark counts 2 pods and 3 frames before it, but 1 pods "
                                    "and 2 frames came")));
  EXPECT_EQ(seen.counts.missing_pods, 1u);
}

TEST(StreamFault, NothingMayFollowTheEndMark) {
  const Bytes once = small_stream();
  Bytes twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  const Seen seen = read(twice);
  EXPECT_THAT(seen.pods, ElementsAre("pod-1", "pod-2"));
  ASSERT_EQ(seen.faults.size(), 4u);
  EXPECT_THAT(seen.faults[0], HasSubstr("goes on behind its end mark"));
}

TEST(StreamFault, TheFirstOneStopsIfAsked) {
  Bytes stream = small_stream();
  stream[30] ^= 1;
  MemorySource source(stream, "s");
  Diagnostics diagnostics;
  StreamReader reader(source, diagnostics, StreamReader::OnFault::kStop);
  Batch batch;
  EXPECT_THROW(reader.next(batch), Error);
  EXPECT_EQ(diagnostics.count(), 0u);
}

TEST(StreamFault, AnUnknownKindIsPassedOver) {
  EXPECT_THAT(faults_of(static_cast<FrameKind>(99),
                        [](FlatBufferBuilder& b) { b.Finish(schema::CreateNote(b)); }),
              ElementsAre(HasSubstr("the frame is of kind 99, which this reader does not know")));
}

TEST(StreamFault, APayloadThatIsNoFlatbufferIsPassedOver) {
  MemorySink sink;
  FrameWriter(sink).write(static_cast<uint8_t>(FrameKind::Pods), Bytes(100, 0xff));
  FrameWriter(sink).write(static_cast<uint8_t>(FrameKind::Pods), {});
  EXPECT_THAT(read(sink.bytes()).faults,
              ElementsAre(HasSubstr("byte 0: has an offset that leads out of the frame"),
                          HasSubstr("byte 120: lies outside of the frame"), HasSubstr("end mark")));
}

// A frame refers to one small part many thousands of times, and that part refers to others many
// times. Visiting every reference would take minutes.
TEST(StreamFault, AFrameMadeToBeQuadraticIsRefusedQuickly) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(faults_of(FrameKind::Templates,
                        [](FlatBufferBuilder& b) {
                          const auto gate = b.CreateString("gate");
                          const std::vector gates(60'000, gate);
                          const auto all_gates = b.CreateVector(gates);
                          schema::PodSpecBuilder spec(b);
                          spec.add_scheduling_gates(all_gates);
                          const auto template_offset = schema::CreateTemplate(b, 1, spec.Finish());
                          const std::vector templates(60'000, template_offset);
                          b.Finish(schema::CreateTemplates(b, b.CreateVector(templates)));
                        }),
              ElementsAre(HasSubstr("refers to the same bytes so often")));
  EXPECT_THAT(faults_of(FrameKind::Pods,
                        [](FlatBufferBuilder& b) {
                          const std::vector names(60'000,
                                                  b.CreateString(std::string(200'000, 'x')));
                          b.Finish(schema::CreatePods(b, 0, b.CreateVector(names)));
                        }),
              ElementsAre(HasSubstr("refers to the same bytes so often")));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 1.0);
}

TEST(StreamFault, VectorsAreBounded) {
  EXPECT_THAT(faults_of(FrameKind::Events,
                        [](FlatBufferBuilder& b) {
                          const std::vector events(70'000, schema::CreateEvent(b));
                          b.Finish(schema::CreateEvents(b, b.CreateVector(events)));
                        }),
              ElementsAre(HasSubstr("events: has 70000 elements, more than the 65536")));
}

TEST(StreamFault, TemplatesThatAreNotThereAreNotRetired) {
  EXPECT_THAT(faults_of(FrameKind::Templates,
                        [](FlatBufferBuilder& b) {
                          b.Finish(schema::CreateTemplates(
                              b, 0, b.CreateVector(std::vector<uint32_t>{7, 1u << 31})));
                        }),
              ElementsAre(HasSubstr("retired[0]: template 7 was not defined"),
                          HasSubstr("retired[1]: template 2147483648 was not defined")));
}

TEST(StreamFault, ARetiredTemplateIsUnknown) {
  MemorySink sink;
  StreamWriter writer(sink);
  const uint32_t id = writer.template_id({});
  writer.retire_templates();  // it was used
  writer.retire_templates();
  EXPECT_EQ(writer.templates(), 0u);
  add_pod(writer, id, "late");
  EXPECT_EQ(writer.template_id({}), id);
  add_pod(writer, id, "good");
  writer.end();
  const Seen seen = read(sink.bytes());
  EXPECT_THAT(seen.pods, ElementsAre("good"));
  EXPECT_THAT(seen.faults, ElementsAre(HasSubstr("template 0 was not defined")));
}

TEST(StreamFault, AFieldOfALaterVersionIsNotIgnored) {
  EXPECT_THAT(faults_of(FrameKind::Note,
                        [](FlatBufferBuilder& b) {
                          const auto start = b.StartTable();
                          b.AddElement<int32_t>(4 + 2 * 5, 1, 0);
                          b.Finish(flatbuffers::Offset<schema::Note>(b.EndTable(start)));
                        }),
              ElementsAre(HasSubstr("has a field that the format does not have")));
}

}  // namespace
}  // namespace berth::ingest
