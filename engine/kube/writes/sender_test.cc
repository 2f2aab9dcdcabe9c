#include "engine/kube/writes/sender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "engine/kube/writes/writes_testing.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SenderTest : public ::testing::Test {
 protected:
  void start(const SenderOptions& options = {}) {
    sender = std::make_unique<Sender>(http, loop, options, [this] { return may_write; });
  }
  Job job(WriteKind kind, const std::string& name) {
    return {
        kind,
        [name] {
          Request request;
          request.path = name;
          return std::optional(request);
        },
        [this, name](const Outcome& outcome) {
          answers.push_back(name + (outcome.ended ? " ended: " + outcome.answer.error
                                                  : " " + std::to_string(outcome.answer.status)));
        }};
  }
  void add(WriteKind kind, const std::string& name) { sender->add(job(kind, name)); }
  std::vector<std::string> paths() const {
    std::vector<std::string> paths;
    for (const auto& one : http.seen) paths.push_back(one.request.path);
    return paths;
  }

  testing::VirtualLoop loop;
  testing::PlayedHttp http{loop};
  bool may_write = true;
  std::vector<std::string> answers;
  std::unique_ptr<Sender> sender;
};

TEST_F(SenderTest, SendsTheImportantFirst) {
  start();
  add(WriteKind::kStatus, "status");
  add(WriteKind::kBinding, "binding");
  add(WriteKind::kEviction, "eviction");
  add(WriteKind::kVolume, "volume");
  add(WriteKind::kRead, "read");
  EXPECT_THAT(paths(), IsEmpty());  // nothing is called within a call
  loop.run();
  EXPECT_THAT(paths(), ElementsAre("read", "binding", "volume", "status", "eviction"));
}

TEST_F(SenderTest, KeepsABoundOfRequestsUnderWay) {
  start({.under_way = 2});
  for (const char* name : {"a", "b", "c"}) add(WriteKind::kBinding, name);
  loop.run();
  EXPECT_THAT(paths(), ElementsAre("a", "b"));
  EXPECT_EQ(sender->counts(WriteKind::kBinding).under_way, 2u);
  EXPECT_EQ(sender->counts(WriteKind::kBinding).queued, 1u);
  http.answer(1, testing::answer_of(201));
  EXPECT_THAT(paths(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(answers, ElementsAre("b 201"));
  EXPECT_EQ(sender->counts(WriteKind::kBinding).queued, 0u);
  EXPECT_EQ(sender->counts(WriteKind::kBinding).sent, 3u);
}

TEST_F(SenderTest, EndsWhatItsQueueDoesNotTake) {
  start({.queue = 2});
  add(WriteKind::kStatus, "s1");
  add(WriteKind::kBinding, "b1");
  add(WriteKind::kBinding, "b2");
  loop.run();
  EXPECT_THAT(answers, ElementsAre("b2 ended: too many writes wait for the API server"));
  EXPECT_THAT(paths(), ElementsAre("b1", "s1"));
  EXPECT_EQ(sender->counts(WriteKind::kBinding).dropped, 1u);
}

TEST_F(SenderTest, WritesNothingWithoutTheLease) {
  start({.under_way = 1});
  add(WriteKind::kBinding, "b1");
  add(WriteKind::kBinding, "b2");
  add(WriteKind::kEvent, "e1");
  sender->again(job(WriteKind::kStatus, "s1"), 1s);
  sender->again(job(WriteKind::kRead, "r1"), 1s);
  loop.run();
  may_write = false;
  http.answer(0, testing::answer_of(201));
  const std::string forbidden = " ended: this scheduler may not write any more";
  EXPECT_THAT(answers, ElementsAre("b1 201", "b2" + forbidden, "e1" + forbidden, "s1" + forbidden));
  loop.run_for(1s);
  EXPECT_THAT(paths(), ElementsAre("b1", "r1"));
}

// A request may wait in the client, and the lease may end meanwhile.
TEST_F(SenderTest, LetsNoWriteLeaveWithoutTheLease) {
  start();
  add(WriteKind::kRead, "read");
  add(WriteKind::kBinding, "binding");
  add(WriteKind::kEvent, "event");
  loop.run();
  ASSERT_THAT(paths(), ElementsAre("read", "binding", "event"));
  EXPECT_FALSE(http.seen[0].request.may_leave);
  for (const size_t write : {1, 2}) {
    may_write = true;
    EXPECT_TRUE(http.seen[write].request.may_leave());
    may_write = false;
    EXPECT_FALSE(http.seen[write].request.may_leave());
  }
}

TEST_F(SenderTest, ComesBackWhenTheServerWishes) {
  start();
  add(WriteKind::kStatus, "s");
  for (int i = 0; i < 11; ++i) {
    loop.run_for(2s);
    ASSERT_EQ(http.seen.size(), size_t(i) + 1);
    http.answer(size_t(i), testing::later_answer(i % 2 == 0 ? 429 : 503, 1s));
    loop.run_for(999ms);
    EXPECT_EQ(http.seen.size(), size_t(i) + 1);
  }
  loop.run_for(1h);
  EXPECT_EQ(http.seen.size(), 11u);
  EXPECT_THAT(answers, ElementsAre("s 429"));
}

// A 5xx may come after the pod was bound.
TEST_F(SenderTest, DoesNotRepeatABindingBlindly) {
  start();
  add(WriteKind::kBinding, "b1");
  add(WriteKind::kBinding, "b2");
  loop.run();
  http.answer(0, testing::later_answer(504, 1s));
  http.answer(1, testing::later_answer(429, 1s));
  EXPECT_THAT(answers, ElementsAre("b1 504"));
  loop.run_for(1250ms);
  EXPECT_THAT(paths(), ElementsAre("b1", "b2", "b2"));
}

TEST_F(SenderTest, PutsFollowersFirst) {
  start({.under_way = 1});
  add(WriteKind::kStatus, "a");
  add(WriteKind::kStatus, "b");
  loop.run();
  sender->again(job(WriteKind::kEviction, "c"));
  http.answer(0, testing::answer_of(200));
  EXPECT_THAT(paths(), ElementsAre("a", "c"));
}

TEST_F(SenderTest, AnswersAJobWithoutARequest) {
  start();
  Job nothing = job(WriteKind::kStatus, "a");
  nothing.make = [] { return std::optional<Request>(); };
  sender->add(nothing);
  loop.run();
  EXPECT_THAT(answers, ElementsAre("a 200"));
  EXPECT_EQ(sender->counts(WriteKind::kStatus).sent, 0u);
}

TEST_F(SenderTest, FinishesWhatItHas) {
  start({.under_way = 1});
  add(WriteKind::kBinding, "a");
  add(WriteKind::kEvent, "b");
  bool done = false;
  sender->finish(5s, [&] { done = true; });
  add(WriteKind::kBinding, "c");
  loop.run();
  EXPECT_THAT(answers, ElementsAre("c ended: the scheduler ends"));
  http.answer(0, testing::answer_of(201));
  EXPECT_FALSE(done);
  http.answer(1, testing::answer_of(201));
  EXPECT_TRUE(done);
  EXPECT_THAT(answers, ElementsAre("c ended: the scheduler ends", "a 201", "b 201"));
}

TEST_F(SenderTest, EndsAllAtTheLimit) {
  start({.under_way = 1});
  add(WriteKind::kBinding, "a");
  add(WriteKind::kEvent, "b");
  sender->again(job(WriteKind::kRead, "r"), 1h);
  bool done = false;
  sender->finish(5s, [&] {
    EXPECT_EQ(answers.size(), 3u);
    done = true;
  });
  loop.run_for(5s - 1ns);
  EXPECT_FALSE(done);
  loop.run_for(1ns);
  EXPECT_TRUE(done);
  const std::string over = " ended: the scheduler ends";
  EXPECT_THAT(answers, ElementsAre("a" + over, "b" + over, "r" + over));
  EXPECT_TRUE(http.seen[0].cancelled);
  loop.run_for(2h);
  EXPECT_EQ(http.seen.size(), 1u);
}

TEST_F(SenderTest, FinishesAtOnceWithoutJobs) {
  start();
  bool done = false;
  sender->finish(5s, [&] { done = true; });
  EXPECT_FALSE(done);
  loop.run();
  EXPECT_TRUE(done);
}

TEST_F(SenderTest, CallsNothingAfterItsEnd) {
  start();
  add(WriteKind::kBinding, "a");
  loop.run();
  add(WriteKind::kBinding, "b");
  sender->again(job(WriteKind::kRead, "r"), 1s);
  sender.reset();
  loop.run_for(1h);
  EXPECT_TRUE(http.seen[0].cancelled);
  EXPECT_THAT(paths(), ElementsAre("a"));
  EXPECT_THAT(answers, IsEmpty());
}

}  // namespace
}  // namespace berth::kube
