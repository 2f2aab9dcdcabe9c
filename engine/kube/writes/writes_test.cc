#include "engine/kube/writes/writes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "engine/kube/writes/writes_testing.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;

struct WritesTest : ::testing::Test {
  testing::VirtualLoop loop;
  testing::PlayedHttp http{loop}, event_http{loop};
  bool may_write = true;
  std::vector<std::string> answers;
  std::optional<Writes> writes;

  void SetUp() override {
    writes.emplace(
        http, event_http, loop, WritesOptions{{}, "host"},
        WritesCalls{
            [this] { return may_write; },
            [this](uint64_t number, const BindResult& result) {
              note("bound", number, result.message);
            },
            [this](uint64_t number, const std::string& error) { note("status", number, error); },
            [this](uint64_t number, const EvictionResult& result) {
              note("evicted", number, result.message);
            },
            [this](uint64_t number, const std::string& error) { note("volume", number, error); }});
  }
  void note(const std::string& what, uint64_t number, const std::string& text) {
    answers.push_back(what + " " + std::to_string(number) + " " + text);
  }
  void record(const std::string& name) {
    writes->events().record({.controller = "s",
                             .regarding = {.namespace_name = "default", .name = name},
                             .reason = "Scheduled",
                             .action = "Binding",
                             .note = "n"});
  }
  void write_all() {
    const PodName pod{"default", "web-0", "u"};
    record("web-0");
    writes->evictions().evict({.number = 4, .victim = pod, .scheduler = "s"});
    writes->statuses().write(3, pod, {.nominated_node = "n"});
    writes->volumes().write(2, SelectedNode{"default", "claim", "n"});
    writes->bindings().bind(1, pod, "n");
  }
};

TEST_F(WritesTest, AreSentInTheOrderOfImportance) {
  write_all();
  loop.run();
  std::vector<std::string> paths;
  for (const auto& one : http.seen) {
    paths.push_back(one.request.path);
    EXPECT_EQ(one.request.limit, 65s);
  }
  EXPECT_THAT(paths,
              ::testing::ElementsAre("/api/v1/namespaces/default/persistentvolumeclaims/claim",
                                     "/api/v1/namespaces/default/pods/web-0/binding",
                                     "/api/v1/namespaces/default/pods/web-0/status",
                                     "/api/v1/namespaces/default/pods/web-0/status"));
  ASSERT_EQ(event_http.seen.size(), 1u);
  EXPECT_EQ(event_http.seen[0].request.path, "/apis/events.k8s.io/v1/namespaces/default/events");
  EXPECT_EQ(event_http.seen[0].request.limit, 65s);
}

TEST_F(WritesTest, EventsWaitForNoBindings) {
  for (uint64_t i = 0; i < 150; ++i) writes->bindings().bind(i, {"default", "web-0", "u"}, "n");
  for (int i = 0; i < 20; ++i) record("web-" + std::to_string(i));
  loop.run();
  EXPECT_EQ(writes->counts(WriteKind::kBinding).under_way, 100u);
  EXPECT_EQ(event_http.seen.size(), 16u);
  EXPECT_EQ(writes->counts(WriteKind::kEvent).under_way, 16u);
  EXPECT_EQ(writes->counts(WriteKind::kEvent).queued, 4u);
}

TEST_F(WritesTest, FailWithoutTheLease) {
  may_write = false;
  write_all();
  loop.run();
  const std::string why = " this scheduler may not write any more";
  EXPECT_THAT(answers, ::testing::UnorderedElementsAre("bound 1" + why, "status 3" + why,
                                                       "evicted 4" + why, "volume 2" + why));
  EXPECT_EQ(writes->events().dropped(), 1u);
  EXPECT_TRUE(http.seen.empty() && event_http.seen.empty());
}

TEST_F(WritesTest, FinishWithinTheLimit) {
  write_all();
  bool done = false;
  writes->finish(1s, [&] { done = true; });
  loop.run();
  writes->bindings().bind(9, {"default", "late", "u"}, "n");
  loop.run();
  EXPECT_THAT(answers, ::testing::ElementsAre("bound 9 the scheduler ends"));
  for (size_t i = 0; i < http.seen.size(); ++i) http.answer(i, testing::answer_of(200));
  EXPECT_EQ(http.seen.size(), 5u);  // with the deletion of the victim
  EXPECT_FALSE(done);
  event_http.answer(0, testing::answer_of(201));
  EXPECT_TRUE(done);
  EXPECT_EQ(answers.size(), 5u);
}

TEST_F(WritesTest, EndAtTheLimit) {
  write_all();
  bool done = false;
  writes->finish(1s, [&] { done = true; });
  loop.run_for(1s);
  EXPECT_TRUE(done);
  const std::string why = " the scheduler ends";
  EXPECT_THAT(answers, ::testing::UnorderedElementsAre("bound 1" + why, "status 3" + why,
                                                       "evicted 4" + why, "volume 2" + why));
  loop.run_for(24h);  // no timer is left that does something
  EXPECT_EQ(http.seen.size(), 4u);
  EXPECT_TRUE(event_http.seen[0].cancelled);
}

}  // namespace
}  // namespace berth::kube
