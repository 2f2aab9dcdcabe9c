#include "engine/kube/writes/events/event_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/kube/writes/writes_testing.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using testing::answer_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::refusal_answer;

constexpr const char* kEvents = "/apis/events.k8s.io/v1/namespaces/default/events";
constexpr const char* kName = "f-000000.1886caf21c964970";  // kWall in hexadecimal

struct EventRecorderTest : ::testing::Test {
  testing::VirtualLoop loop;
  testing::PlayedHttp http{loop};
  Sender sender{http, loop, {}, [] { return true; }};
  EventRecorder recorder{sender, "a"};

  static events::Event event(
      const std::string& note = "Successfully assigned default/f-000000 to n-0") {
    return {.controller = "default-scheduler",
            .regarding = {.namespace_name = "default",
                          .name = "f-000000",
                          .uid = "uid-0",
                          .resource_version = "12"},
            .reason = "Scheduled",
            .action = "Binding",
            .note = note};
  }
  void record(events::Event one) {
    recorder.record(std::move(one));
    loop.run();
  }
  // Records the event that often, at once; the server takes it.
  void record_taken(int times) {
    http.server = [](const Request&) { return answer_of(201); };
    for (int i = 0; i < times; ++i) record(event());
    http.server = nullptr;
  }
  std::string note_of(const std::string& note) {
    record(event(note));
    const std::string& body = http.seen.back().request.body;
    const size_t begin = body.find(R"("note":")") + 8;
    return body.substr(begin, body.find(R"(","type")") - begin);
  }
};

TEST_F(EventRecorderTest, WritesAsKubeSchedulerDoes) {
  record(event());
  EXPECT_THAT(
      http.lines(),
      ElementsAre(std::string("POST ") + kEvents +
                  R"( {"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":{"name":")" +
                  kName +
                  R"(","namespace":"default"},"eventTime":"2026-01-02T03:04:05.000006Z",)"
                  R"("reportingController":"default-scheduler",)"
                  R"("reportingInstance":"default-scheduler-a","action":"Binding",)"
                  R"("reason":"Scheduled","regarding":{"kind":"Pod","namespace":"default",)"
                  R"("name":"f-000000","uid":"uid-0","apiVersion":"v1",)"
                  R"("resourceVersion":"12"},"note":)"
                  R"("Successfully assigned default/f-000000 to n-0","type":"Normal"})"));
  EXPECT_EQ(http.seen[0].request.content_type, "application/json");
}

TEST_F(EventRecorderTest, WritesWhatIsRelated) {
  events::Event one = event();
  one.warning = true;
  one.regarding.namespace_name.clear();
  one.related = events::EventObject{.namespace_name = "b", .name = "other", .uid = "u"};
  record(std::move(one));
  EXPECT_EQ(http.seen[0].request.path, kEvents);
  EXPECT_THAT(http.seen[0].request.body,
              HasSubstr(R"("related":{"kind":"Pod","namespace":"b","name":"other","uid":"u",)"
                        R"("apiVersion":"v1"})"));
  EXPECT_THAT(http.seen[0].request.body, HasSubstr(R"("type":"Warning")"));
}

TEST_F(EventRecorderTest, CutsNotes) {
  EXPECT_EQ(note_of(std::string(1025, 'x')), std::string(1020, 'x') + " ...");
}

TEST_F(EventRecorderTest, GivesEachEventAName) {
  record(event());
  events::Event other = event();
  other.reason = "FailedScheduling";
  record(other);
  EXPECT_THAT(http.seen[1].request.body, HasSubstr("f-000000.1886caf21c964971"));
  other.regarding.name = std::string(240, 'a');
  record(other);
  EXPECT_THAT(
      http.seen[2].request.body,
      ::testing::ContainsRegex(
          R"("name":"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",)"));
}

TEST_F(EventRecorderTest, MakesASeriesOfTheSameEvent) {
  http.server = [](const Request&) { return answer_of(201); };
  record(event());
  loop.run_for(1s);
  record(event("the note is another"));
  EXPECT_EQ(http.lines().back(), std::string("PATCH ") + kEvents + "/" + kName +
                                     R"( {"series":{"count":2,"lastObservedTime":)"
                                     R"("2026-01-02T03:04:06.000006Z"}})");
  EXPECT_EQ(http.seen.back().request.content_type, "application/strategic-merge-patch+json");
  for (int i = 0; i < 5; ++i) record(event());
  EXPECT_EQ(http.seen.size(), 2u);
  events::Event other = event();
  other.regarding.resource_version = "13";
  record(other);
  EXPECT_EQ(http.seen.size(), 3u);
  EXPECT_EQ(http.seen.back().request.method, Method::kPost);
}

TEST_F(EventRecorderTest, WritesTheCountWhenASeriesEnds) {
  record_taken(5);
  http.server = [](const Request&) { return answer_of(200); };
  loop.run_for(6min);  // not older than that
  EXPECT_EQ(http.seen.size(), 2u);
  loop.run_for(6min);
  ASSERT_EQ(http.seen.size(), 3u);
  EXPECT_THAT(http.lines().back(), HasSubstr(R"({"series":{"count":5,)"));
  loop.run_for(2h);
  EXPECT_EQ(http.seen.size(), 3u);
  record(event());
  EXPECT_EQ(http.seen.back().request.method, Method::kPost);
}

TEST_F(EventRecorderTest, WritesTheCountOfALongSeries) {
  record_taken(2);
  http.server = [](const Request&) { return answer_of(200); };
  for (int i = 0; i < 6; ++i) {
    loop.run_for(5min);
    record(event());
  }
  // At 30 minutes: the refresh comes before the event of that time.
  ASSERT_EQ(http.seen.size(), 3u);
  EXPECT_EQ(http.seen[2].at, 30min);
  EXPECT_THAT(http.lines().back(), HasSubstr(R"({"series":{"count":7,)"));
}

TEST_F(EventRecorderTest, EndsASeriesInTheNextTurnIfItCannot) {
  record_taken(2);
  http.server = [](const Request&) { return testing::unsent_answer(); };
  loop.run_for(18min);
  ASSERT_EQ(http.seen.size(), 4u);
  EXPECT_EQ(http.seen[2].at, 12min);
  EXPECT_EQ(http.seen[3].at, 18min);
  http.server = [](const Request&) { return answer_of(400); };
  loop.run_for(20min);
  EXPECT_EQ(http.seen.size(), 5u);  // at 24 minutes; the refresh finds no series
}

TEST_F(EventRecorderTest, GoesOnWithASeriesThatWasToEnd) {
  record_taken(2);
  loop.run_for(12min);
  ASSERT_EQ(http.seen.size(), 3u);
  record(event());
  http.answer(2, answer_of(200));
  record(event());
  EXPECT_EQ(http.seen.size(), 3u);
  loop.run_for(12min);
  ASSERT_EQ(http.seen.size(), 4u);
  EXPECT_THAT(http.lines().back(), HasSubstr(R"({"series":{"count":4,)"));
}

TEST_F(EventRecorderTest, ForgetsALoneEvent) {
  record_taken(1);
  loop.run_for(11min);
  record(event());  // known for up to 12 minutes
  EXPECT_EQ(http.seen.back().request.method, Method::kPatch);
  events::Event other = event();
  other.reason = "Other";
  record(other);
  loop.run_for(13min);
  record(other);
  EXPECT_EQ(http.seen.back().request.method, Method::kPost);
}

// The object of a series that the server has deleted is made again; that it is there after all is
// tried again.
TEST_F(EventRecorderTest, CreatesTheObjectOfASeriesAnew) {
  record_taken(1);
  record(event());
  http.answer(1, refusal_answer(404, "NotFound", "not found"));
  ASSERT_EQ(http.seen.size(), 3u);
  EXPECT_EQ(http.seen[2].request.method, Method::kPost);
  EXPECT_THAT(
      http.seen[2].request.body,
      HasSubstr(R"("series":{"count":2,"lastObservedTime":"2026-01-02T03:04:05.000006Z"})"));
  http.answer(2, refusal_answer(409, "AlreadyExists", "already exists"));
  loop.run_for(12500ms);
  ASSERT_EQ(http.seen.size(), 4u);
  EXPECT_EQ(http.seen[3].request.method, Method::kPatch);
  http.answer(3, answer_of(200));
  EXPECT_EQ(recorder.dropped(), 0u);
}

// 10 s, and up to a quarter more.
TEST_F(EventRecorderTest, TriesTwelveTimes) {
  record(event());
  for (size_t i = 0; i < 11; ++i) {
    ASSERT_EQ(http.seen.size(), i + 1);
    http.answer(i, i % 2 == 0 ? testing::lost_answer() : testing::unsent_answer());
    loop.run_for(10s - 1ns);
    ASSERT_EQ(http.seen.size(), i + 1);
    loop.run_for(2500ms + 1ns);
  }
  http.answer(11, testing::lost_answer());
  loop.run_for(1min);
  EXPECT_EQ(http.seen.size(), 12u);
  EXPECT_EQ(recorder.dropped(), 1u);
  EXPECT_EQ(sender.counts(WriteKind::kEvent).failed, 1u);
}

TEST_F(EventRecorderTest, DoesNotRepeatWhatIsRefused) {
  record(event());
  http.answer(0, refusal_answer(403, "Forbidden", "no"));
  loop.run_for(1min);
  EXPECT_EQ(http.seen.size(), 1u);
  EXPECT_EQ(recorder.dropped(), 1u);
}

TEST_F(EventRecorderTest, FindsWhatALostAnswerWrote) {
  record(event());
  http.answer(0, testing::lost_answer());
  loop.run_for(12500ms);
  http.answer(1, refusal_answer(409, "AlreadyExists", "already exists"));
  loop.run_for(1min);
  EXPECT_EQ(http.seen.size(), 2u);
  EXPECT_EQ(recorder.dropped(), 0u);
}

TEST_F(EventRecorderTest, DropsWhatIsTooMuch) {
  for (size_t i = 0; i < EventRecorder::kMostWaiting + 5; ++i) {
    events::Event one = event();
    one.regarding.name = "p-" + std::to_string(i);
    recorder.record(std::move(one));
  }
  EXPECT_EQ(recorder.dropped(), 5u);
  loop.run();
  const size_t sent = SenderOptions().under_way;
  EXPECT_EQ(http.seen.size(), sent);
  http.server = [](const Request&) { return answer_of(201); };
  for (size_t i = 0; i < sent; ++i) http.answer(i, answer_of(201));
  EXPECT_EQ(http.seen.size(), EventRecorder::kMostWaiting);
  record(event());
  EXPECT_EQ(recorder.dropped(), 5u);
}

TEST_F(EventRecorderTest, KnowsTheLatestKeys) {
  http.server = [](const Request&) { return answer_of(201); };
  for (size_t i = 0; i <= EventRecorder::kMostKnown; ++i) {
    events::Event one = event();
    one.regarding.name = "p-" + std::to_string(i);
    record(std::move(one));
  }
  events::Event first = event(), second = event();
  second.regarding.name = "p-1";
  record(second);
  EXPECT_EQ(http.seen.back().request.method, Method::kPatch);
  first.regarding.name = "p-0";
  record(first);
  EXPECT_EQ(http.seen.back().request.method, Method::kPost);
}

TEST_F(EventRecorderTest, StopsSeries) {
  record_taken(2);
  recorder.stop();
  loop.run_for(2h);
  EXPECT_EQ(http.seen.size(), 2u);
}

}  // namespace
}  // namespace berth::kube
