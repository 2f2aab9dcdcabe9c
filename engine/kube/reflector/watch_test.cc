// Watches, and what follows from their ends.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/draw.h"
#include "engine/kube/reflector/reflector.h"
#include "engine/kube/reflector/testing.h"
#include "engine/kube/testing/fake_objects.h"

namespace berth::kube {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

// A reflector of nodes that watches, and has the node a in version 1, of a list of version 9.
struct Watching : Played {
  explicit Watching(Reflector::Options options = {}) : Played("Node", options) {
    answer(200, page_json({object_json("a", "1")}, "9"));
    sink.log.clear();
  }
};

bool is_first_wait(Time wait) { return wait >= milliseconds(800) && wait < milliseconds(1600); }

TEST(Watch, TellsWhatChanges) {
  Watching played;
  played.part(event_line("ADDED", object_json("b", "10")) +
              event_line("MODIFIED", object_json("a", "11")) +
              event_line("DELETED", object_json("b", "12")) +
              event_line("DELETED", object_json("c", "13")) +
              event_line("MODIFIED", object_json("d", "14")) +
              event_line("MODIFIED", object_json("d", "14")) +
              event_line("ADDED", object_json("d", "15", "other")));
  EXPECT_THAT(
      played.sink.take_log(),
      ElementsAre("ADDED b 10, MODIFIED a 11, DELETED b, ADDED d 14, DELETED d, ADDED d 15"));
  played.part(event_line("MODIFIED", object_json("a", "11")));
  EXPECT_THAT(played.sink.take_log(), IsEmpty());
  EXPECT_EQ(played.reflector.find("", "d")->uid, "other");
}

TEST(Watch, GoesOnWhereItEnded) {
  Watching played;
  EXPECT_EQ(played.query("resourceVersion"), "9");
  played.loop.advance(seconds(1));
  played.answer(200);
  EXPECT_EQ(played.query("resourceVersion"), "9");
  played.part(event_line("ADDED", object_json("b", "10")));
  played.answer(200);
  EXPECT_EQ(played.query("resourceVersion"), "10") << "at once, since an event came";
  played.part(bookmark_line("20"));
  played.answer(200);
  EXPECT_EQ(played.query("resourceVersion"), "20");
  played.part(event_line("DELETED", object_json("b", "21")));
  played.answer(200);
  EXPECT_EQ(played.query("resourceVersion"), "21");
  played.part(event_line("ADDED", R"({"metadata":{"resourceVersion":"22"}})"));
  played.answer(200);
  EXPECT_EQ(played.query("resourceVersion"), "22") << "of an object that is left out";
  EXPECT_EQ(played.sink.notes.size(), 1u);
}

TEST(Watch, DrawsItsTimeout) {
  Watching played({false, false, 3});
  for (uint64_t i = 0; i < 20; ++i) {
    EXPECT_EQ(played.query("timeoutSeconds"),
              std::to_string(300 + below(draw(3, i, 0, Purpose::kApiClient), 301)));
    played.loop.advance(seconds(1));
    played.answer(200);
  }
}

TEST(Watch, WaitsAfterAShortOne) {
  Watching played;
  played.loop.advance(seconds(1) - Time(1));
  played.answer(200);
  EXPECT_TRUE(is_first_wait(played.waited()));
  EXPECT_EQ(played.query("resourceVersion"), "9");
  EXPECT_THAT(played.sink.notes, IsEmpty());
}

TEST(Watch, WaitsAfterALostOne) {
  Watching played;
  played.part(bookmark_line("10"));
  played.lose();
  EXPECT_TRUE(is_first_wait(played.waited()));
  EXPECT_EQ(played.query("resourceVersion"), "10");
  EXPECT_THAT(played.sink.take_notes(),
              ElementsAre("the watch failed: the connection was lost: why"));
  played.answer(403, status_json(403, "Forbidden", "no"));
  const Time second = played.waited();
  EXPECT_GE(second, milliseconds(1600));
  EXPECT_LT(second, milliseconds(3200));
  EXPECT_TRUE(played.watches());
  EXPECT_THAT(played.sink.take_notes(), ElementsAre("the watch failed: 403 Forbidden: no"));
}

TEST(Watch, GoesOnAtOnceIfItsConnectionEnds) {
  Watching played;
  const auto lose = [&] {
    played.http.answer(played.open().number, {Answer::Fate::kLost, 200, {}, {}, "why"});
  };
  played.loop.advance(seconds(1));
  lose();
  EXPECT_EQ(played.query("resourceVersion"), "9");
  played.part(bookmark_line("10"));
  lose();
  EXPECT_EQ(played.query("resourceVersion"), "10");
  EXPECT_THAT(played.sink.notes, IsEmpty());
  lose();
  EXPECT_TRUE(is_first_wait(played.waited())) << "it was short";
  EXPECT_EQ(played.query("resourceVersion"), "10");
  EXPECT_THAT(played.sink.take_notes(),
              ElementsAre("the watch failed: the connection was lost: why"));
}

// In each way in which a server says that a version is too old, or a watch makes no sense.
TEST(Watch, IsFollowedByAListIfItCannotGoOn) {
  const std::function<void(Played&)> ends[] = {
      [](Played& played) {
        played.part(event_line("ERROR", status_json(410, "Expired", "too old")));
      },
      [](Played& played) { played.answer(410, status_json(410, "Gone")); },
      [](Played& played) { played.part(event_line("ERROR", status_json(500, "InternalError"))); },
      [](Played& played) { played.answer(400); },
      [](Played& played) { played.part("\n"); },
      [](Played& played) { played.part("<html>\n"); },
      [](Played& played) { played.part(event_line("OTHER", object_json("a", "1"))); },
      [](Played& played) { played.part(std::string((size_t{16} << 20) + 1, 'x')); },
  };
  for (size_t i = 0; i < std::size(ends); ++i) {
    Watching played;
    played.part(event_line("ADDED", object_json("b", "10")) +
                event_line("ADDED", object_json("c", "11")));
    played.sink.log.clear();
    ends[i](played);
    EXPECT_TRUE(is_first_wait(played.waited())) << i;
    EXPECT_EQ(played.path(), "/api/v1/nodes?limit=500") << i;
    EXPECT_EQ(played.sink.notes.size(), i < 2 ? 0u : 1u) << i;
    played.answer(
        200,
        page_json({object_json("a", "1"), object_json("b", "12"), object_json("d", "13")}, "20"));
    EXPECT_THAT(played.sink.log, ElementsAre("MODIFIED b 12, ADDED d 13, DELETED c")) << i;
    EXPECT_EQ(played.sink.times_synced, 1) << i;
    EXPECT_EQ(played.query("resourceVersion"), "20") << i;
  }
}

TEST(Watch, TellsWhatCameBeforeItsEnd) {
  Watching played;
  played.part(event_line("ADDED", object_json("b", "10")) +
              event_line("ERROR", status_json(410, "Expired")) +
              event_line("ADDED", object_json("c", "11")));
  EXPECT_THAT(played.sink.log, ElementsAre("ADDED b 10")) << "nothing follows an error";
}

// The events come in two parts, cut at every byte; and then the connection is lost there, and the
// server goes on from where the reflector asks it to.
TEST(Watch, MayBeCutAnywhere) {
  const auto pods_of = [](const Played& played) {
    std::map<std::string, std::string> uids;
    for (const auto& [name, pod] : played.sink.objects)
      uids[name] = std::get<model::TemplatePod>(pod).uid;
    return uids;
  };
  FakeObjects objects;
  objects.put("a", "u1", R"("v":"1")", "");
  const Answer list = objects.page("/api/v1/pods");
  std::string listed = objects.version();
  objects.put("b", "u2", R"("v":"2")", "");
  objects.put("a", "u1", R"("v":"3")", "");
  objects.put("a", "u3", R"("v":"4")", "");
  objects.remove("b");
  objects.put("c", "u4", R"("v":"5")", "");
  std::string last = listed;
  const std::string events = objects.events_after(last);
  const std::map<std::string, std::string> expected = {{"default/a", "u3"}, {"default/c", "u4"}};
  for (size_t cut = 0; cut <= events.size(); ++cut) {
    for (const bool loses : {false, true}) {
      Played played("Pod");
      played.answer(200, list.body);
      played.part(events.substr(0, cut));
      if (loses) {
        played.lose();
        played.waited();
        std::string from = played.query("resourceVersion");
        played.part(objects.events_after(from));
      } else {
        played.part(events.substr(cut));
      }
      ASSERT_EQ(pods_of(played), expected) << cut << loses;
      ASSERT_TRUE(played.sink.notes.size() == (loses ? 1u : 0u)) << played.sink.notes[0];
    }
  }
}

TEST(Watch, KeepsObjectsWhole) {
  struct WholeSink final : Sink {
    std::vector<bool> whole;
    void take(const ServedKind&, std::vector<Watched> changes) override {
      for (const Watched& watched : changes) whole.push_back(watched.whole.has_value());
    }
    void synced(const ServedKind&) override {}
    void note(const ServedKind&, std::string) override {}
  };
  for (const bool keep : {true, false}) {
    FakeLoop loop;
    FakeHttp http;
    WholeSink sink;
    Reflector reflector(*find_served("Node"), http, loop, sink, {keep});
    reflector.start();
    http.answer(1, {Answer::Fate::kAnswered, 200, page_json({object_json("a", "1")}, "9")});
    http.part(2, event_line("MODIFIED", object_json("a", "2")) +
                     event_line("DELETED", object_json("a", "3")));
    EXPECT_EQ(sink.whole, (std::vector{keep, keep, false}));
  }
}

TEST(StreamingList, ComesWithTheWatch) {
  FakeObjects objects;
  objects.put("a", "u1", R"("v":"1")", "");
  objects.put("b", "u2", R"("v":"2")", "");
  Played played("Pod", {false, true});
  EXPECT_EQ(played.query("sendInitialEvents"), "true");
  EXPECT_EQ(played.query("resourceVersionMatch"), "NotOlderThan");
  EXPECT_EQ(played.query("allowWatchBookmarks"), "true");
  EXPECT_EQ(query_value(played.path(), "resourceVersion"), std::nullopt);
  const std::string events = objects.initial_events();
  const size_t cut = events.find('\n') + 1;
  played.part(events.substr(0, cut));
  EXPECT_FALSE(played.reflector.synced());
  played.part(events.substr(cut));
  EXPECT_TRUE(played.reflector.synced());
  EXPECT_THAT(played.sink.take_log(), ElementsAre("ADDED default/a 1", "ADDED default/b 2"));
  std::string version = objects.version();
  objects.remove("a");
  played.part(objects.events_after(version));
  EXPECT_THAT(played.sink.take_log(), ElementsAre("DELETED default/a"));
  played.answer(200);
  EXPECT_EQ(played.query("resourceVersion"), version);
  EXPECT_EQ(query_value(played.path(), "sendInitialEvents"), std::nullopt);
  objects.remove("b");
  played.part(event_line("ERROR", FakeObjects::expired_status()));
  played.waited();
  EXPECT_EQ(played.query("sendInitialEvents"), "true");
  played.part(objects.initial_events());
  EXPECT_THAT(played.sink.take_log(), ElementsAre("DELETED default/b"));
  EXPECT_EQ(played.sink.times_synced, 1);
}

TEST(StreamingList, BeginsAnewIfItIsLost) {
  FakeObjects objects;
  objects.put("a", "u1", "", "");
  Played played("Pod", {false, true});
  played.part(objects.initial_events().substr(0, objects.initial_events().find('\n') + 1));
  played.lose();
  played.waited();
  objects.remove("a");
  objects.put("b", "u2", "", "");
  EXPECT_EQ(played.query("sendInitialEvents"), "true");
  played.part(objects.initial_events());
  EXPECT_THAT(played.sink.log,
              ElementsAre("ADDED default/a", "ADDED default/b, DELETED default/a"));
}

TEST(StreamingList, IsReplacedByAListIfTheServerCannot) {
  const std::function<void(Played&)> refusals[] = {
      [](Played& played) { played.answer(422, status_json(422, "Invalid", "forbidden")); },
      [](Played& played) { played.answer(400); },
      [](Played& played) { played.part(event_line("ERROR", status_json(400, "BadRequest"))); },
      [](Played& played) {
        played.loop.advance(seconds(400));
        played.answer(200);
      }};
  for (const auto& refuse : refusals) {
    Played played("Node", {false, true});
    refuse(played);
    EXPECT_EQ(played.sink.notes.size(), 1u);
    EXPECT_EQ(played.path(), "/api/v1/nodes?limit=500");
    played.answer(200, page_json({object_json("a", "1")}, "9"));
    EXPECT_TRUE(played.reflector.synced());
    played.answer(410);
    played.waited();
    EXPECT_EQ(played.path(), "/api/v1/nodes?limit=500") << "from now on";
  }
}

TEST(StreamingList, BeginsAnewIfItsEndHasNoVersion) {
  Played played("Node", {false, true});
  played.part(event_line("BOOKMARK",
                         R"({"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}})"));
  EXPECT_FALSE(played.reflector.synced());
  EXPECT_EQ(played.sink.notes.size(), 1u);
  EXPECT_TRUE(is_first_wait(played.waited()));
  EXPECT_EQ(played.query("sendInitialEvents"), "true");
}

TEST(StreamingList, OfAnAbsentKind) {
  Played played("PodGroup", {false, true});
  played.answer(404);
  EXPECT_TRUE(played.reflector.synced());
  EXPECT_EQ(played.waited(), Reflector::kAbsentAgain);
  EXPECT_EQ(played.query("sendInitialEvents"), "true");
}

}  // namespace
}  // namespace berth::kube
