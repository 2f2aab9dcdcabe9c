#include "tests/apiserver/tables/age.h"
#include "tests/apiserver/test/testing.h"

namespace berth::apiserver::testing {
namespace {

TEST(Ages, HaveAtMostTwoUnits) {
  constexpr Nanoseconds kMinute = 60 * kSecond, kHour = 60 * kMinute, kDay = 24 * kHour;
  EXPECT_EQ(duration_text(-2 * kSecond), "<invalid>");
  EXPECT_EQ(duration_text(-kSecond), "0s");
  EXPECT_EQ(duration_text(119 * kSecond), "119s");
  EXPECT_EQ(duration_text(2 * kMinute), "2m");
  EXPECT_EQ(duration_text(3 * kMinute + 5 * kSecond), "3m5s");
  EXPECT_EQ(duration_text(10 * kMinute + 5 * kSecond), "10m");
  EXPECT_EQ(duration_text(3 * kHour + 59 * kMinute), "3h59m");
  EXPECT_EQ(duration_text(47 * kHour + kMinute), "47h");
  EXPECT_EQ(duration_text(2 * kDay + 4 * kHour), "2d4h");
  EXPECT_EQ(duration_text(8 * kDay + 4 * kHour), "8d");
  EXPECT_EQ(duration_text(800 * kDay), "2y70d");
  EXPECT_EQ(age_text("", 0), "<unknown>");
  EXPECT_EQ(age_text("2023-11-14T22:13:20.123456Z", 1'700'000'007 * kSecond), "7s");
}

class Tables : public Server {
 protected:
  const std::map<std::string, std::string> kHeaders{
      {"accept", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"}};

  json::value table(std::string_view target) { return call("GET", target, "", kHeaders).tree(); }
  // The cells of a row.
  static std::string row(const json::value& table, size_t index) {
    std::string made;
    for (const json::value& cell : table.at("rows").at(index).at("cells").as_array()) {
      made.append(made.empty() ? "" : " | ").append(view(cell.as_string()));
    }
    return made;
  }
};

TEST_F(Tables, ShowPods) {
  add_pod("a", R"({"containers":[{"name":"x"},{"name":"y"}]})");
  add_pod("b", R"({"schedulingGates":[{"name":"g"}]})");
  add_pod("c", R"({"nodeName":"n"})");
  patch(std::string(kPods) + "/a/status", R"({"status":{"phase":"Running","podIPs":[{"ip":"1"}],
      "nominatedNodeName":"m","containerStatuses":[{"ready":true,"restartCount":2},{}]}})");
  call("DELETE", std::string(kPods) + "/c");
  clock.pass(9 * kSecond);
  const json::value shown = table(kPods);
  EXPECT_EQ(text_at(shown, "kind"), "Table");
  EXPECT_EQ(text_at(shown, "metadata.resourceVersion"), std::to_string(server->revision()));
  EXPECT_EQ(row(shown, 0), "a | 1/2 | Running | 2 | 9s | 1 | <none> | m");
  EXPECT_EQ(row(shown, 1), "b | 0/0 | SchedulingGated | 0 | 9s | <none> | <none> | <none>");
  EXPECT_EQ(row(shown, 2), "c | 0/0 | Terminating | 0 | 9s | <none> | n | <none>");
  const json::array& columns = shown.at("columnDefinitions").as_array();
  ASSERT_EQ(columns.size(), 8u);
  EXPECT_EQ(text_at(columns[0], "format"), "name");
  EXPECT_EQ(number_at(columns[4], "priority", -1), 0);
  EXPECT_EQ(number_at(columns[5], "priority", -1), 1);
}

TEST_F(Tables, ShowNodes) {
  add_node("n", R"({"node-role.kubernetes.io/b":"","node-role.kubernetes.io/a":""})");
  create(kNodes, R"({"metadata":{"name":"o"},"spec":{"unschedulable":true},"status":{
      "conditions":[{"type":"Ready","status":"True"}],"nodeInfo":{"kubeletVersion":"v1"}}})");
  const json::value shown = table(kNodes);
  EXPECT_EQ(row(shown, 0), "n | Unknown | a,b | 0s | ");
  EXPECT_EQ(row(shown, 1), "o | Ready,SchedulingDisabled | <none> | 0s | v1");
}

TEST_F(Tables, ShowEvents) {
  create("/apis/events.k8s.io/v1/namespaces/default/events", R"({"metadata":{"name":"e"},
      "eventTime":"2023-11-14T22:13:19.000000Z","type":"Warning","reason":"FailedScheduling",
      "reportingController":"default-scheduler","note":"text",
      "regarding":{"kind":"Pod","name":"a"}})");
  const std::string_view path = "/api/v1/namespaces/default/events";
  EXPECT_EQ(row(table(path), 0),
            "1s | Warning | FailedScheduling | pod/a | default-scheduler | text | e");
}

TEST_F(Tables, HoldWhatIsAskedFor) {
  add_pod("a");
  const auto object = [&](const std::string& include) {
    const json::value shown = table(std::string(kPods) + "/a" + include);
    const json::value& only = shown.at("rows").at(0);
    return only.as_object().contains("object") ? only.at("object") : json::value();
  };
  EXPECT_EQ(text_at(object(""), "kind"), "PartialObjectMetadata");
  EXPECT_EQ(text_at(object(""), "metadata.name"), "a");
  EXPECT_EQ(text_at(object("?includeObject=Object"), "spec.schedulerName"), "default-scheduler");
  EXPECT_TRUE(object("?includeObject=None").is_null());
  EXPECT_EQ(call("GET", std::string(kPods) + "?includeObject=x", "", kHeaders).status, 400);
}

TEST_F(Tables, ComeInPages) {
  add_pod("a");
  add_pod("b");
  const json::value first = table(std::string(kPods) + "?limit=1");
  EXPECT_EQ(first.at("rows").as_array().size(), 1u);
  const std::string token(text_at(first, "metadata.continue"));
  const json::value second = table(std::string(kPods) + "?limit=1&continue=" + token);
  EXPECT_EQ(row(second, 0).substr(0, 1), "b");
  EXPECT_EQ(find(second, "metadata.continue"), nullptr);
}

TEST_F(Tables, AreWatchedBesideObjects) {
  const auto plain = watch(kPods);
  const auto shown = start("GET", std::string(kPods) + "?watch=true", "", kHeaders);
  add_pod("a");
  bind("a", "n");
  EXPECT_EQ(plain->events(), (std::vector<std::string>{"ADDED a", "MODIFIED a"}));
  const size_t end = shown->body.find('\n');
  const json::value added = json::parse(shown->body.substr(0, end));
  EXPECT_EQ(text_at(added, "type"), "ADDED");
  EXPECT_EQ(row(added.at("object"), 0), "a | 0/0 | Pending | 0 | 0s | <none> | <none> | <none>");
  const json::value bound = json::parse(shown->body.substr(end + 1, shown->body.size() - end - 2));
  EXPECT_EQ(row(bound.at("object"), 0), "a | 0/0 | Pending | 0 | 0s | <none> | n | <none>");
}

TEST_F(Tables, AreLeftToTheClientOfOtherKinds) {
  EXPECT_EQ(text_at(table("/api/v1/namespaces"), "kind"), "NamespaceList");
}

}  // namespace
}  // namespace berth::apiserver::testing
