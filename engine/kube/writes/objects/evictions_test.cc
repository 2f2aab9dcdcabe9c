#include "engine/kube/writes/objects/evictions.h"

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

struct EvictionsTest : ::testing::Test {
  testing::VirtualLoop loop;
  testing::PlayedHttp http{loop};
  Sender sender{http, loop, {}, [] { return true; }};
  std::vector<std::string> answers;
  Evictions evictions{sender, [this](uint64_t number, const EvictionResult& result) {
                        constexpr const char* kNames[] = {"deleted", "gone", "failed"};
                        answers.push_back(std::to_string(number) + " " +
                                          kNames[static_cast<size_t>(result.kind)] + " " +
                                          result.message);
                      }};

  void evict() {
    evictions.evict({5, {"default", "low", "uid-1"}, "default-scheduler", 3});
    loop.run();
  }
};

TEST_F(EvictionsTest, TellWhyAndDelete) {
  evict();
  http.answer(0, answer_of(200));
  EXPECT_THAT(answers, IsEmpty());
  http.answer(1, answer_of(200));
  EXPECT_THAT(answers, ElementsAre("5 deleted "));
  EXPECT_THAT(
      http.lines(),
      ElementsAre(R"(PATCH /api/v1/namespaces/default/pods/low/status {"metadata":{"uid":"uid-1"},)"
                  R"("status":{"conditions":[{"lastProbeTime":null,"lastTransitionTime":)"
                  R"("2026-01-02T03:04:05Z","message":"default-scheduler: preempting to )"
                  R"(accommodate a higher priority pod","observedGeneration":3,)"
                  R"("reason":"PreemptionByScheduler","status":"True",)"
                  R"("type":"DisruptionTarget"}]}})",
                  R"(DELETE /api/v1/namespaces/default/pods/low {"kind":"DeleteOptions",)"
                  R"("apiVersion":"v1","preconditions":{"uid":"uid-1"}})"));
  EXPECT_EQ(http.seen[0].request.content_type, "application/strategic-merge-patch+json");
  EXPECT_EQ(http.seen[1].request.content_type, "application/json");
}

TEST_F(EvictionsTest, FindTheVictimGone) {
  const Answer other = refusal_answer(409, "Conflict", "Precondition failed: UID in precondition:");
  for (const Answer& gone : {refusal_answer(404, "NotFound", "not found"), other}) {
    evict();
    http.answer(http.seen.size() - 1, gone);
    evict();
    http.answer(http.seen.size() - 1, answer_of(200));
    http.answer(http.seen.size() - 1, gone);
  }
  EXPECT_THAT(answers, ElementsAre("5 gone ", "5 gone ", "5 gone ", "5 gone "));
  EXPECT_EQ(http.seen.size(), 6u);
}

// Each request is sent twelve times: after 10, 50, 250, 1250 and 6250 ms, then each 10 s.
TEST_F(EvictionsTest, AreTriedForAMinute) {
  const Answer faults[] = {testing::unsent_answer(), testing::lost_answer(), answer_of(500),
                           answer_of(429)};
  const Time waits[] = {10ms, 50ms, 250ms, 1250ms, 6250ms, 10s, 10s, 10s, 10s, 10s, 10s};
  evict();
  http.answer(0, answer_of(500));
  loop.run_for(11ms);
  http.answer(1, answer_of(200));
  for (size_t i = 0; i < 11; ++i) {
    ASSERT_EQ(http.seen.size(), i + 3);
    EXPECT_EQ(http.seen.back().request.method, Method::kDelete);
    http.answer(i + 2, faults[i % 4]);
    loop.run_for(waits[i] - 1ns);
    ASSERT_EQ(http.seen.size(), i + 3);
    loop.run_for(waits[i] / 10 + 1ns);
  }
  http.answer(13, testing::lost_answer("the last"));
  loop.run_for(1h);
  EXPECT_EQ(http.seen.size(), 14u);
  EXPECT_THAT(answers, ElementsAre("5 failed the last"));
  EXPECT_EQ(sender.counts(WriteKind::kEviction).failed, 1u);
}

// As in kube-scheduler, a pod that cannot be told why is not deleted.
TEST_F(EvictionsTest, FailWithTheServersWords) {
  evict();
  http.answer(0, refusal_answer(403, "Forbidden", "forbidden"));
  evict();
  http.answer(1, answer_of(200));
  http.answer(2, refusal_answer(403, "Forbidden", "forbidden too"));
  loop.run_for(1h);
  EXPECT_THAT(answers, ElementsAre("5 failed forbidden", "5 failed forbidden too"));
  EXPECT_EQ(http.seen.size(), 3u);
}

TEST_F(EvictionsTest, EndWithTheSender) {
  evict();
  sender.finish(1s, [] {});
  loop.run_for(1s);
  EXPECT_THAT(answers, ElementsAre("5 failed the scheduler ends"));
}

}  // namespace
}  // namespace berth::kube
