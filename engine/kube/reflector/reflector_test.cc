// Lists, and what follows from their failures.

#include "engine/kube/reflector/reflector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/draw.h"
#include "engine/kube/reflector/testing.h"

namespace berth::kube {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

// The wait after `before` others without a calm time between them, with the draw of this number.
Time expected_wait(int before, uint64_t number, uint64_t seed = 0) {
  const Time base = std::min<Time>(milliseconds(800) * (1 << before), seconds(30));
  const uint64_t drawn = draw(seed, number, 0, Purpose::kApiClient);
  return base + Time(below(drawn, static_cast<uint64_t>(base.count())));
}

TEST(Reflector, ListsInPagesThenWatches) {
  Played played("Pod", {false, false, 7});
  const std::string selector =
      "fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed";
  EXPECT_EQ(played.path(), "/api/v1/pods?limit=500&" + selector);
  EXPECT_EQ(played.open().request.limit, minutes(2));
  EXPECT_EQ(played.open().request.method, Method::kGet);
  played.answer(200, page_json({object_json("x/a", "1"), object_json("x/b", "2")}, "9", "t/1"));
  EXPECT_THAT(played.sink.take_log(), ElementsAre("ADDED x/a 1, ADDED x/b 2"));
  EXPECT_EQ(played.path(), "/api/v1/pods?limit=500&continue=t%2F1&" + selector);
  EXPECT_FALSE(played.reflector.synced());
  played.answer(200, page_json({object_json("x/c", "3")}, "9"));
  EXPECT_THAT(played.sink.take_log(), ElementsAre("ADDED x/c 3"));
  EXPECT_EQ(played.sink.times_synced, 1);
  EXPECT_TRUE(played.reflector.synced());
  const uint64_t timeout = 300 + below(draw(7, 0, 0, Purpose::kApiClient), 301);
  EXPECT_EQ(played.path(),
            "/api/v1/pods?watch=true&allowWatchBookmarks=true&resourceVersion=9&timeoutSeconds=" +
                std::to_string(timeout) + "&" + selector);
  EXPECT_TRUE(played.open().streams);
  EXPECT_EQ(played.open().request.limit, seconds(timeout + 60));
  EXPECT_EQ(played.loop.next(), std::nullopt);
  EXPECT_THAT(played.sink.notes, IsEmpty());
  ASSERT_NE(played.reflector.find("x", "b"), nullptr);
  EXPECT_EQ(played.reflector.find("x", "b")->resource_version, "2");
}

TEST(Reflector, IsSyncedWithoutObjects) {
  Played played("Node");
  EXPECT_EQ(played.path(), "/api/v1/nodes?limit=500");
  played.answer(200, page_json({}, "9"));
  EXPECT_EQ(played.sink.times_synced, 1);
  EXPECT_THAT(played.sink.log, IsEmpty());
  EXPECT_TRUE(played.watches());
}

TEST(Reflector, LeavesOutWhatCannotBeDecoded) {
  Played played("Node");
  const std::string bad = R"({"metadata":{"name":"b","uid":"u","resourceVersion":"2","labels":7}})";
  played.answer(200, page_json({object_json("a", "1"), bad, "7", object_json("c", "3")}, "9"));
  EXPECT_THAT(played.sink.log, ElementsAre("ADDED a 1, ADDED c 3"));
  ASSERT_EQ(played.sink.notes.size(), 2u);
  EXPECT_TRUE(played.sink.notes[0].starts_with("Node \"b\" is left out: metadata.labels: "))
      << played.sink.notes[0];
  EXPECT_TRUE(played.sink.notes[1].starts_with("Node \"\" is left out: ")) << played.sink.notes[1];
  EXPECT_TRUE(played.watches());
}

// What fails for a time is asked for again where it was, with longer waits each time.
TEST(Reflector, AsksForAPageAgain) {
  Played played("Node");
  played.answer(200, page_json({object_json("a", "1")}, "9", "t"));
  const std::string path = played.path();
  EXPECT_EQ(query_value(path, "continue"), "t");
  for (int i = 0; i < 8; ++i) {
    if (i % 4 == 0) played.lose();
    if (i % 4 == 1) played.lose(Answer::Fate::kNotSent);
    if (i % 4 == 2) played.answer(503);
    if (i % 4 == 3) played.answer(429, "Too many requests\n");
    EXPECT_EQ(played.waited(), expected_wait(i, i)) << i;
    EXPECT_EQ(played.path(), path) << i;
  }
  played.answer(200, page_json({object_json("b", "2")}, "9"));
  EXPECT_THAT(played.sink.log, ElementsAre("ADDED a 1", "ADDED b 2"));
  const auto busy = testing::StartsWith("the list failed: 503 ServiceUnavailable: the server is ");
  const auto many = testing::StartsWith("the list failed: 429 TooManyRequests: the server has ");
  const std::string lost = "the list failed: the connection was lost: why",
                    unsent = "the list failed: the server was not reached: why";
  EXPECT_THAT(played.sink.notes, ElementsAre(lost, unsent, busy, many, lost, unsent, busy, many));
}

TEST(Reflector, ListsAnewWhatTheServerDoesNotTake) {
  Played played("Node");
  played.answer(200, page_json({object_json("a", "1"), object_json("b", "2")}, "9", "t"));
  played.answer(400, status_json(400, "BadRequest", "continue key is not valid"));
  EXPECT_EQ(played.waited(), expected_wait(0, 0));
  EXPECT_EQ(played.path(), "/api/v1/nodes?limit=500");
  played.answer(200, page_json({object_json("b", "2")}, "12"));
  EXPECT_THAT(played.sink.log, ElementsAre("ADDED a 1, ADDED b 2", "DELETED a"));
  EXPECT_EQ(played.query("resourceVersion"), "12");
}

TEST(Reflector, ListsAnewWhatItCannotRead) {
  for (const std::string body : {"", "<html>", R"({"metadata":{},"items":[]})"}) {
    Played played("Node");
    played.answer(200, page_json({object_json("a", "1")}, "9", "t"));
    played.answer(200, body);
    ASSERT_EQ(played.sink.notes.size(), 1u);
    EXPECT_TRUE(played.sink.notes[0].starts_with("the list cannot be read: "));
    EXPECT_EQ(played.waited(), expected_wait(0, 0));
    EXPECT_EQ(played.path(), "/api/v1/nodes?limit=500");
    EXPECT_FALSE(played.reflector.synced());
  }
}

// The server has forgotten the version of the first page.
TEST(Reflector, ListsAtOnceWhatTakesTooLong) {
  Played played("Node");
  played.answer(200, page_json({object_json("a", "1"), object_json("b", "2")}, "9", "t"));
  played.answer(410, status_json(410, "Expired", "too old"));
  EXPECT_EQ(played.path(), "/api/v1/nodes");
  played.answer(503);
  played.waited();
  EXPECT_EQ(played.path(), "/api/v1/nodes");
  played.answer(200, page_json({object_json("b", "5"), object_json("c", "4")}, "12"));
  EXPECT_THAT(played.sink.log,
              ElementsAre("ADDED a 1, ADDED b 2", "MODIFIED b 5, ADDED c 4, DELETED a"));
  EXPECT_EQ(played.query("resourceVersion"), "12");
  played.part(event_line("ERROR", status_json(410, "Expired")));
  played.waited();
  EXPECT_EQ(played.path(), "/api/v1/nodes?limit=500") << "the next list has pages";
}

TEST(Reflector, WaitsAfterAnExpiredList) {
  Played played("Node");
  played.answer(410, status_json(410, "Expired", "too old"));
  EXPECT_EQ(played.waited(), expected_wait(0, 0));
  EXPECT_EQ(played.path(), "/api/v1/nodes?limit=500");
}

TEST(Reflector, WaitsAsLongAsTheServerWants) {
  Played played("Node");
  played.answer(429, "busy", seconds(20));
  EXPECT_EQ(played.waited(), seconds(20));
  played.answer(429, "busy", seconds(1));
  EXPECT_EQ(played.waited(), expected_wait(1, 1)) << "the wait is longer";
  played.answer(200, page_json({}, "9"));
  played.answer(503, "", seconds(50));
  EXPECT_EQ(played.waited(), seconds(50));
  EXPECT_TRUE(played.watches());
  played.part(
      event_line("ERROR", R"({"kind":"Status","code":429,"details":{"retryAfterSeconds":40}})"));
  EXPECT_EQ(played.waited(), seconds(40));
  EXPECT_TRUE(played.watches());
}

TEST(Reflector, WaitsLittleAfterACalmTime) {
  Played played("Node");
  played.lose();
  EXPECT_EQ(played.waited(), expected_wait(0, 0));
  played.loop.advance(minutes(1));
  played.lose();
  EXPECT_EQ(played.waited(), expected_wait(1, 1));
  played.loop.advance(minutes(2));
  played.lose();
  EXPECT_EQ(played.waited(), expected_wait(0, 2));
}

TEST(Reflector, SaysOnceWhyItMayNotList) {
  Played played("Node");
  const auto forbid = [&](int code, const std::string& reason, const std::string& message) {
    played.answer(code, status_json(code, reason, message));
    played.waited();
  };
  for (int i = 0; i < 3; ++i) forbid(403, "Forbidden", "nodes is forbidden");
  EXPECT_THAT(played.sink.take_notes(),
              ElementsAre("the list failed: 403 Forbidden: nodes is forbidden"));
  for (int i = 0; i < 3; ++i) forbid(401, "Unauthorized", "Unauthorized");
  EXPECT_THAT(played.sink.take_notes(),
              ElementsAre("the list failed: 401 Unauthorized: Unauthorized"));
  EXPECT_FALSE(played.reflector.synced());
  played.answer(200, page_json({}, "9"));
  EXPECT_TRUE(played.reflector.synced());
}

constexpr const char* kAbsent = "the server does not have this kind, so there are no objects of it";

TEST(Reflector, DoesWithoutOptionalKinds) {
  Played played("PodGroup");
  played.answer(404, "404 page not found\n");
  EXPECT_TRUE(played.reflector.synced());
  EXPECT_THAT(played.sink.take_notes(), ElementsAre(kAbsent));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(played.waited(), minutes(5));
    played.answer(404);
  }
  EXPECT_THAT(played.sink.take_notes(), IsEmpty());
  played.waited();
  played.answer(200, page_json({R"({"metadata":{"namespace":"x","name":"g","uid":"u",)"
                                R"("resourceVersion":"1"},"spec":{"minMember":2}})"},
                               "9"));
  EXPECT_THAT(played.sink.take_log(), ElementsAre("ADDED x/g"));
  EXPECT_TRUE(played.watches());
  played.answer(404);  // the kind was removed
  played.waited();
  played.answer(404);
  EXPECT_THAT(played.sink.take_log(), ElementsAre("DELETED x/g"));
  EXPECT_THAT(played.sink.take_notes(),
              ElementsAre("the watch failed: 404 NotFound: the server could not find the "
                          "requested resource (get podgroups)",
                          kAbsent));
  EXPECT_EQ(played.waited(), minutes(5));
  EXPECT_EQ(played.sink.times_synced, 1);
}

TEST(Reflector, DoesWithoutOptionalKindsThatItMayNotRead) {
  Played played("CSIStorageCapacity");
  played.answer(403, "no");
  EXPECT_TRUE(played.reflector.synced());
  EXPECT_THAT(played.sink.take_notes(),
              ElementsAre("the list failed: 403 Forbidden: no (get csistoragecapacities); its "
                          "objects are taken as absent"));
  EXPECT_EQ(played.waited(), minutes(5));
  played.answer(200, page_json({R"({"metadata":{"namespace":"x","name":"c","uid":"u",)"
                                R"("resourceVersion":"1"},"storageClassName":"s"})"},
                               "9"));
  EXPECT_THAT(played.sink.take_log(), ElementsAre("ADDED x/c"));
  played.answer(410);
  played.waited();
  played.answer(403, "no");
  EXPECT_THAT(played.sink.take_log(), IsEmpty()) << "what is known stays";
}

TEST(Reflector, CannotDoWithoutOtherKinds) {
  Played played("Node");
  played.answer(404);
  EXPECT_FALSE(played.reflector.synced());
  EXPECT_THAT(played.sink.notes, ElementsAre("the list failed: 404 NotFound: the server could "
                                             "not find the requested resource (get nodes)"));
  EXPECT_EQ(played.waited(), expected_wait(0, 0));
}

TEST(Reflector, StopsAtAnyTime) {
  const std::string first = page_json({object_json("a", "1")}, "9", "t");
  const std::string last = page_json({object_json("b", "1")}, "9");
  const std::function<void(Played&)> steps[] = {
      [](Played&) {}, [&](Played& played) { played.answer(200, first); },
      [&](Played& played) { played.answer(200, last); },
      [](Played& played) { played.part(event_line("ADDED", object_json("c", "10"))); },
      [](Played& played) { played.lose(); }};
  for (size_t count = 0; count < std::size(steps); ++count) {
    Played played("Node");
    for (size_t i = 0; i <= count; ++i) steps[i](played);
    played.reflector.stop();
    EXPECT_TRUE(played.http.open().empty()) << count;
    EXPECT_EQ(played.loop.next(), std::nullopt) << count;
  }
}

// Each call of the sink stops the reflector, which calls it no more.
TEST(Reflector, IsStoppedByItsSink) {
  const auto play = [](Played& played) {
    const std::string bad = R"({"metadata":{"name":"b"}})";
    const std::function<void()> steps[] = {
        [&] { played.answer(503); },
        [&] { played.waited(); },
        [&] {
          played.answer(200, page_json({bad, object_json("a", "1")}, "9", "t"));
        },
        [&] { played.answer(410); },
        [&] { played.answer(200, page_json({object_json("a", "2")}, "9")); },
        [&] {
          played.part(event_line("ADDED", bad) + event_line("ADDED", object_json("c", "10")));
        },
        [&] { played.part("?\n"); }};
    for (const auto& step : steps) {
      if (played.http.open().empty() && !played.loop.next()) break;
      step();
    }
  };
  const auto calls = [](const RecordingSink& sink) {
    return sink.log.size() + sink.notes.size() + static_cast<size_t>(sink.times_synced);
  };
  Played whole("Node");
  play(whole);
  ASSERT_EQ(calls(whole.sink), 9u);
  for (size_t stop = 1; stop <= 9; ++stop) {
    Played played("Node");
    played.sink.then = [&] {
      if (calls(played.sink) == stop) played.reflector.stop();
    };
    play(played);
    EXPECT_EQ(calls(played.sink), stop);
    EXPECT_TRUE(played.http.open().empty()) << stop;
    EXPECT_EQ(played.loop.next(), std::nullopt) << stop;
  }
}

}  // namespace
}  // namespace berth::kube
