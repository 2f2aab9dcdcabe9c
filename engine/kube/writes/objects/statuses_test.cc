#include "engine/kube/writes/objects/statuses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/kube/writes/writes_testing.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using testing::answer_of;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::refusal_answer;

constexpr const char* kUid = R"({"metadata":{"uid":"u"},)";

struct StatusesTest : ::testing::Test {
  testing::VirtualLoop loop;
  testing::PlayedHttp http{loop};
  Sender sender{http, loop, {}, [] { return true; }};
  std::vector<std::string> answers;
  Statuses statuses{sender,
                    [this](uint64_t number, const std::string& error) {
                      answers.push_back(std::to_string(number) + " " + error);
                    },
                    2};
  uint64_t writes = 0;

  void write(StatusChange change, const std::string& name = "web-0") {
    statuses.write(++writes, {"default", name, "u"}, std::move(change));
  }
  void write_answered(StatusChange change, const std::string& name = "web-0") {
    write(std::move(change), name);
    loop.run();
    http.answer(http.seen.size() - 1, answer_of(200));
  }
  static StatusChange message(const std::string& text) {
    return {.condition = UnscheduledCondition{false, text}};
  }
  // The part after the metadata of the request's body.
  std::string status_of(size_t index) const {
    const std::string& body = http.seen.at(index).request.body;
    EXPECT_TRUE(body.starts_with(kUid)) << body;
    return body.substr(std::string_view(kUid).size());
  }
  std::string last() const { return status_of(http.seen.size() - 1); }
};

TEST_F(StatusesTest, AreSentAsKubeSchedulerDoes) {
  write({.condition =
             UnscheduledCondition{false, "0/2 nodes are available: 2 Insufficient cpu.", 1}});
  loop.run();
  ASSERT_EQ(http.seen.size(), 1u);
  EXPECT_EQ(http.seen[0].request.method, Method::kPatch);
  EXPECT_EQ(http.seen[0].request.path, "/api/v1/namespaces/default/pods/web-0/status");
  EXPECT_EQ(http.seen[0].request.content_type, "application/strategic-merge-patch+json");
  EXPECT_EQ(last(),
            R"("status":{"conditions":[{"lastProbeTime":null,"lastTransitionTime":)"
            R"("2026-01-02T03:04:05Z","message":"0/2 nodes are available: 2 Insufficient cpu.",)"
            R"("observedGeneration":1,"reason":"Unschedulable","status":"False",)"
            R"("type":"PodScheduled"}]}})");
  http.answer(0, answer_of(200));
  EXPECT_THAT(answers, ElementsAre("1 "));
}

TEST_F(StatusesTest, HaveWhatChanged) {
  write_answered(message("a"));
  write_answered(message("b"));
  EXPECT_EQ(last(), R"("status":{"$setElementOrder/conditions":[{"type":"PodScheduled"}],)"
                    R"("conditions":[{"message":"b","type":"PodScheduled"}]}})");
  write_answered({.condition = UnscheduledCondition{true, "b", 2}});
  EXPECT_EQ(last(),
            R"("status":{"$setElementOrder/conditions":[{"type":"PodScheduled"}],"conditions":)"
            R"([{"observedGeneration":2,"reason":"SchedulerError","type":"PodScheduled"}]}})");
  EXPECT_THAT(answers, ElementsAre("1 ", "2 ", "3 "));
}

TEST_F(StatusesTest, AreNotSentIfNothingChanges) {
  write_answered(message("a"));
  write(message("a"));
  loop.run();
  EXPECT_EQ(http.seen.size(), 1u);
  EXPECT_THAT(answers, ElementsAre("1 ", "2 "));
}

TEST_F(StatusesTest, HaveTheNomination) {
  write_answered({.condition = UnscheduledCondition{false, "a"}, .nominated_node = "n-1"});
  EXPECT_THAT(last(),
              ::testing::EndsWith(R"("type":"PodScheduled"}],"nominatedNodeName":"n-1"}})"));
  write_answered({.nominated_node = "n-1"});  // somebody may have cleared it
  EXPECT_EQ(last(), R"("status":{"nominatedNodeName":"n-1"}})");
  write_answered({.nominated_node = ""});
  EXPECT_EQ(last(), R"("status":{"nominatedNodeName":null}})");
}

TEST_F(StatusesTest, OfOnePodAreWrittenOneByOne) {
  write(message("a"));
  loop.run();
  write({.condition = UnscheduledCondition{false, "b"}, .nominated_node = "n-1"});
  write(message("c"));
  write(message("other"), "web-1");
  loop.run();
  ASSERT_EQ(http.seen.size(), 2u);
  EXPECT_EQ(http.seen[1].request.path, "/api/v1/namespaces/default/pods/web-1/status");
  http.answer(0, answer_of(200));
  ASSERT_EQ(http.seen.size(), 3u);
  EXPECT_EQ(last(),
            R"("status":{"$setElementOrder/conditions":[{"type":"PodScheduled"}],"conditions":)"
            R"([{"message":"c","type":"PodScheduled"}],"nominatedNodeName":"n-1"}})");
  EXPECT_THAT(answers, ElementsAre("1 "));
  http.answer(2, answer_of(200));
  EXPECT_THAT(answers, ElementsAre("1 ", "2 ", "3 "));
}

TEST_F(StatusesTest, ReplaceThoseThatWait) {
  write(message("a"));
  write(message("b"));
  loop.run();
  ASSERT_EQ(http.seen.size(), 1u);
  EXPECT_THAT(last(), ::testing::HasSubstr(R"("message":"b")"));
}

// client-go's retry.DefaultBackoff: 10, 50 and 250 ms, and up to a tenth more.
TEST_F(StatusesTest, AreTriedFourTimes) {
  const Answer faults[] = {testing::unsent_answer(), answer_of(500), answer_of(503),
                           refusal_answer(500, "InternalError", "the last")};
  const Time waits[] = {10ms, 50ms, 250ms};
  write(message("a"));
  loop.run();
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(http.seen.size(), i + 1);
    http.answer(i, faults[i]);
    loop.run_for(waits[i] - 1ns);
    ASSERT_EQ(http.seen.size(), i + 1);
    loop.run_for(waits[i] / 10 + 1ns);
  }
  http.answer(3, faults[3]);
  loop.run_for(1h);
  EXPECT_EQ(http.seen.size(), 4u);
  EXPECT_THAT(answers, ElementsAre("1 the last"));
  EXPECT_EQ(http.seen[0].request.body, http.seen[3].request.body);
  EXPECT_EQ(sender.counts(WriteKind::kStatus).failed, 1u);
}

TEST_F(StatusesTest, AreGivenUpForOtherFaults) {
  const Answer faults[] = {testing::lost_answer("lost"), answer_of(504),
                           refusal_answer(422, "Invalid", "invalid"),
                           refusal_answer(409, "Conflict", "modified")};
  for (const Answer& fault : faults) {
    write(message("a"));
    loop.run();
    http.answer(http.seen.size() - 1, fault);
  }
  loop.run_for(1h);
  EXPECT_EQ(http.seen.size(), 4u);
  EXPECT_THAT(answers, ElementsAre("1 lost", ::testing::StartsWith("2 the server was unable"),
                                   "3 invalid", "4 modified"));
}

// Nobody knows what the server has after a fault: the condition is written as a whole again.
TEST_F(StatusesTest, AreWholeAfterAFault) {
  write_answered(message("a"));
  write(message("b"));
  loop.run();
  http.answer(1, testing::lost_answer());
  loop.run_for(1s);
  write_answered(message("b"));
  EXPECT_THAT(last(), ::testing::HasSubstr(R"("lastTransitionTime":"2026-01-02T03:04:06Z")"));
}

TEST_F(StatusesTest, OfPodsThatAreGoneAreNothing) {
  write(message("a"));
  loop.run();
  http.answer(0, refusal_answer(404, "NotFound", "not found"));
  write(message("a"));
  loop.run();
  http.answer(1, refusal_answer(409, "Conflict", "Precondition failed: UID in precondition: u"));
  EXPECT_THAT(answers, ElementsAre("1 ", "2 "));
  EXPECT_EQ(sender.counts(WriteKind::kStatus).failed, 0u);
}

// The latest two are remembered here.
TEST_F(StatusesTest, OfTheLatestPodsAreRemembered) {
  for (const char* name : {"a", "b", "a", "c"})
    write_answered(message(std::to_string(writes)), name);
  write_answered(message("x"), "a");
  EXPECT_THAT(last(), ::testing::HasSubstr("setElementOrder"));
  write_answered(message("x"), "b");
  EXPECT_THAT(last(), ::testing::HasSubstr("lastTransitionTime"));
}

TEST_F(StatusesTest, EndWithTheSender) {
  write(message("a"));
  loop.run();
  write(message("b"));
  sender.finish(1s, [] {});
  write(message("c"), "web-1");
  loop.run_for(1s);
  const std::string over = " the scheduler ends";
  EXPECT_THAT(answers, ElementsAre("3" + over, "1" + over, "2" + over));
}

}  // namespace
}  // namespace berth::kube
