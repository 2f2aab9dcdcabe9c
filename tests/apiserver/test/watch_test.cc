#include "tests/apiserver/test/testing.h"

namespace berth::apiserver::testing {
namespace {

using Events = std::vector<std::string>;

class WatchesOfObjects : public Server {
 protected:
  std::string revision() const { return std::to_string(server->revision()); }
  std::string since(uint64_t revision) const {
    return "resourceVersion=" + std::to_string(revision);
  }
};

TEST_F(WatchesOfObjects, BeginWithWhatIsThere) {
  add_pod("a");
  const auto all = watch("/api/v1/pods");
  const auto marked = watch("/api/v1/pods", "resourceVersion=0&allowWatchBookmarks=true");
  add_pod("b");
  EXPECT_EQ(all->events(), (Events{"ADDED a", "ADDED b"}));
  EXPECT_EQ(marked->events(),
            (Events{"ADDED a", "BOOKMARK " + std::to_string(server->revision() - 1), "ADDED b"}));
  EXPECT_NE(marked->body.find(R"("annotations":{"k8s.io/initial-events-end":"true"})"),
            std::string::npos);
  EXPECT_EQ(all->status, 200);
  EXPECT_FALSE(all->ended);
}

TEST_F(WatchesOfObjects, TakeTheInitialEventsOfALister) {
  add_node("n");
  const std::string match = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
  EXPECT_EQ(watch(kNodes, match + "&allowWatchBookmarks=true&resourceVersion=1")->events(),
            (Events{"ADDED n", "BOOKMARK " + revision()}));
  EXPECT_EQ(watch(kNodes, match)->events(), Events{"ADDED n"});
  EXPECT_EQ(problem_of(*watch(kNodes, "sendInitialEvents=true")),
            "422 Invalid: ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: "
            "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
}

TEST_F(WatchesOfObjects, GoOnFromARevision) {
  add_node("a");
  const uint64_t before = server->revision();
  add_node("b");
  const auto seen = watch(kNodes, since(before));
  patch(std::string(kNodes) + "/a", R"({"metadata":{"labels":{"x":"1"}}})");
  call("DELETE", std::string(kNodes) + "/b");
  EXPECT_EQ(seen->events(), (Events{"ADDED b", "MODIFIED a", "DELETED b"}));
  // A deletion has the revision of the deletion.
  EXPECT_NE(seen->body.rfind("\"resourceVersion\":\"" + revision() + "\""), std::string::npos);
}

TEST_F(WatchesOfObjects, FromAForgottenRevisionGetAnError) {
  add_node("a");
  const uint64_t before = server->revision();
  add_node("b");
  server->compact();
  const auto seen = watch(kNodes, since(before));
  EXPECT_EQ(seen->status, 200);
  EXPECT_TRUE(seen->ended);
  const json::value event = seen->tree();
  EXPECT_EQ(text_at(event, "type"), "ERROR");
  EXPECT_EQ(number_at(event, "object.code", 0), 410);
  EXPECT_EQ(text_at(event, "object.reason"), "Expired");
  EXPECT_EQ(text_at(event, "object.message"),
            "too old resource version: " + std::to_string(before) + " (" +
                std::to_string(before + 2) + ")");
  EXPECT_TRUE(watch(kNodes, since(server->revision()))->events().empty());
}

TEST_F(WatchesOfObjects, OfAShortHistoryForgetByThemselves) {
  Options options;
  options.history = 2;
  restart(options);
  const uint64_t before = server->revision();
  for (const auto* name : {"a", "b", "c"}) add_node(name);
  EXPECT_TRUE(watch(kNodes, since(before))->ended);
  EXPECT_EQ(watch(kNodes, since(before + 1))->events(), (Events{"ADDED b", "ADDED c"}));
}

TEST_F(WatchesOfObjects, OfARevisionThatIsAheadAreSilentUpToIt) {
  const auto seen = watch(kNodes, since(server->revision() + 1));
  add_node("a");
  EXPECT_TRUE(seen->events().empty());
  add_node("b");
  EXPECT_EQ(seen->events(), Events{"ADDED b"});
}

TEST_F(WatchesOfObjects, TellOfObjectsThatBeginOrCeaseToMatch) {
  const auto seen =
      watch("/api/v1/pods", "fieldSelector=status.phase!=Failed&" + since(server->revision()));
  add_pod("a");
  const uint64_t bound = server->revision();
  const std::string status = std::string(kPods) + "/a/status";
  patch(status, R"({"status":{"phase":"Failed"}})");
  patch(status, R"({"status":{"message":"unseen"}})");
  const uint64_t failed = bound + 1;
  patch(status, R"({"status":{"phase":"Running"}})");
  EXPECT_EQ(seen->events(), (Events{"ADDED a", "DELETED a", "ADDED a"}));
  // The deletion shows what matched last, with the revision of the event.
  const size_t line = seen->body.find("DELETED");
  const std::string deleted = seen->body.substr(line, seen->body.find('\n', line) - line);
  EXPECT_NE(deleted.find("\"resourceVersion\":\"" + std::to_string(failed) + "\""), deleted.npos);
  EXPECT_NE(deleted.find("\"phase\":\"Pending\""), deleted.npos);
  // A replay tells the same.
  EXPECT_EQ(watch("/api/v1/pods", "fieldSelector=status.phase!=Failed&" + since(bound))->events(),
            (Events{"DELETED a", "ADDED a"}));
}

TEST_F(WatchesOfObjects, AreOfANamespaceANameOrLabels) {
  const std::string from = since(server->revision());
  const auto in_system = watch("/api/v1/namespaces/kube-system/pods", from);
  const auto of_name = watch("/api/v1/namespaces/default/pods/b", from);
  const auto of_labels = watch("/api/v1/pods", "labelSelector=app in (x)&" + from);
  add_pod("a", "{}", R"(,"labels":{"app":"x"})");
  add_pod("b");
  create("/api/v1/namespaces/kube-system/pods", R"({"metadata":{"name":"c"}})");
  EXPECT_EQ(in_system->events(), Events{"ADDED c"});
  EXPECT_EQ(of_name->events(), Events{"ADDED b"});
  EXPECT_EQ(of_labels->events(), Events{"ADDED a"});
}

TEST_F(WatchesOfObjects, GetABookmarkEachMinute) {
  const auto with = watch(kNodes, "allowWatchBookmarks=true&" + since(server->revision()));
  const auto without = watch(kNodes, since(server->revision()));
  clock.pass(60 * kSecond - 1);
  EXPECT_TRUE(with->events().empty());
  clock.pass(1);
  EXPECT_EQ(with->events(), Events{"BOOKMARK " + revision()});
  add_pod("elsewhere");
  clock.pass(60 * kSecond);
  EXPECT_EQ(with->events(), Events{"BOOKMARK " + revision()});
  EXPECT_TRUE(without->body.empty());
}

TEST_F(WatchesOfObjects, EndAtTheirTime) {
  const auto seen = watch(kNodes, "timeoutSeconds=5&" + since(server->revision()));
  clock.pass(5 * kSecond - 1);
  EXPECT_EQ(server->open_watches(), 1u);
  clock.pass(1);
  EXPECT_TRUE(seen->ended);
  EXPECT_EQ(server->open_watches(), 0u);
  add_node("unseen");
  EXPECT_TRUE(seen->body.empty());
}

TEST_F(WatchesOfObjects, OfSlowOrAbsentClientsEnd) {
  Options options;
  options.watch_backlog = 1000;
  restart(options);
  const auto slow = watch(kNodes, since(server->revision()));
  const auto left = watch(kNodes, since(server->revision()));
  slow->slow = true;
  left->left = true;
  for (int i = 0; i < 100 && !slow->ended; ++i) add_node("n" + std::to_string(i));
  EXPECT_TRUE(slow->ended);
  EXPECT_GT(slow->body.size(), 1000u);
  EXPECT_LT(slow->body.size(), 1500u);
  EXPECT_TRUE(left->body.empty());
  EXPECT_EQ(server->open_watches(), 0u);
}

TEST_F(WatchesOfObjects, ShowEventsInBothGroups) {
  const auto core = watch("/api/v1/events"), other = watch("/apis/events.k8s.io/v1/events");
  create("/apis/events.k8s.io/v1/namespaces/default/events",
         R"({"metadata":{"name":"e"},"note":"hello","reason":"Scheduled",
             "regarding":{"kind":"Pod","name":"p"},"reportingController":"berth"})");
  EXPECT_EQ(core->events(), Events{"ADDED e"});
  EXPECT_EQ(other->events(), Events{"ADDED e"});
  EXPECT_NE(core->body.find(R"("message":"hello")"), std::string::npos);
  EXPECT_NE(core->body.find(R"("apiVersion":"v1")"), std::string::npos);
  EXPECT_NE(other->body.find(R"("note":"hello")"), std::string::npos);
  const std::string name = "/apis/events.k8s.io/v1/namespaces/default/events/e";
  const Recorded patched = patch(name, R"({"series":{"count":2},"note":"again"})");
  EXPECT_EQ(text_at(patched.tree(), "note"), "again");
  const json::value shown = get("/api/v1/namespaces/default/events/e");
  EXPECT_EQ(text_at(shown, "message"), "again");
  EXPECT_EQ(number_at(shown, "series.count", 0), 2);
  EXPECT_EQ(names_of(get("/api/v1/events?fieldSelector=involvedObject.name=p")), Events{"e"});
  EXPECT_EQ(names_of(get("/apis/events.k8s.io/v1/events?fieldSelector=regarding.name=q")),
            Events{});
}

}  // namespace
}  // namespace berth::apiserver::testing
