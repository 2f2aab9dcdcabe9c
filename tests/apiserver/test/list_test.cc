#include "tests/apiserver/test/testing.h"

namespace berth::apiserver::testing {
namespace {

using Texts = std::vector<std::string>;

class Lists : public Server {
 protected:
  void add_five() {
    for (const auto* name : {"c", "a", "e", "b", "d"}) add_pod(name);
  }
  json::value page(std::string_view token, uint64_t limit = 2) {
    return get(std::string(kPods) + "?limit=" + std::to_string(limit) +
               "&continue=" + std::string(token));
  }
  Texts found(std::string_view query) {
    return names_of(get(std::string(kPods) + "?" + std::string(query)));
  }
};

TEST_F(Lists, AreInTheOrderOfNamesAndSayTheirRevision) {
  add_five();
  const json::value list = get(kPods);
  EXPECT_EQ(names_of(list), (Texts{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(text_at(list, "kind"), "PodList");
  EXPECT_EQ(text_at(list, "apiVersion"), "v1");
  EXPECT_EQ(text_at(list, "metadata.resourceVersion"), std::to_string(server->revision()));
  const json::value& item = list.at("items").at(0);
  EXPECT_EQ(find(item, "kind"), nullptr);
  EXPECT_EQ(find(item, "apiVersion"), nullptr);
  EXPECT_EQ(text_at(item, "metadata.namespace"), "default");
}

TEST_F(Lists, AreOfOneNamespaceOrOfAll) {
  add_pod("one");
  create("/api/v1/namespaces/kube-system/pods", R"({"metadata":{"name":"other"}})");
  EXPECT_EQ(names_of(get("/api/v1/namespaces/kube-system/pods")), Texts{"other"});
  EXPECT_EQ(names_of(get("/api/v1/pods")), (Texts{"one", "other"}));
}

TEST_F(Lists, GoOnPageByPageAsTheyWereAtTheFirst) {
  add_five();
  const json::value first = page("");
  EXPECT_EQ(names_of(first), (Texts{"a", "b"}));
  // Behind the page: one goes, one is new, one changes.
  call("DELETE", std::string(kPods) + "/c");
  add_pod("bb");
  patch(std::string(kPods) + "/d", R"({"metadata":{"labels":{"x":"y"}}})");
  const json::value second = page(text_at(first, "metadata.continue"));
  EXPECT_EQ(names_of(second), (Texts{"c", "d"}));
  EXPECT_EQ(find(second.at("items").at(1), "metadata.labels"), nullptr);
  EXPECT_EQ(text_at(second, "metadata.resourceVersion"),
            text_at(first, "metadata.resourceVersion"));
  const json::value third = page(text_at(second, "metadata.continue"));
  EXPECT_EQ(names_of(third), Texts{"e"});
  EXPECT_EQ(find(third, "metadata.continue"), nullptr);
}

TEST_F(Lists, WhoseRevisionIsForgottenOfferToGoOn) {
  add_five();
  const json::value first = page("");
  call("DELETE", std::string(kPods) + "/c");
  server->compact();
  const Recorded answer = call("GET", std::string(kPods) + "?limit=2&continue=" +
                                          std::string(text_at(first, "metadata.continue")));
  EXPECT_TRUE(problem_of(answer).starts_with("410 Expired: The provided continue parameter"));
  const json::value status = answer.tree();
  EXPECT_EQ(names_of(page(text_at(status, "metadata.continue"))), (Texts{"d", "e"}));
}

TEST_F(Lists, FromTheCacheHaveNoPages) {
  add_five();
  EXPECT_EQ(found("limit=2&resourceVersion=0").size(), 5u);
}

TEST_F(Lists, AreThoseOfARevisionIfAskedTo) {
  add_pod("a");
  const std::string revision = std::to_string(server->revision());
  add_pod("b");
  EXPECT_EQ(found("resourceVersionMatch=Exact&resourceVersion=" + revision), Texts{"a"});
  EXPECT_EQ(found("resourceVersion=" + revision), (Texts{"a", "b"}));
  server->compact();
  EXPECT_EQ(problem_of(call("GET", std::string(kPods) +
                                       "?resourceVersionMatch=Exact&resourceVersion=" + revision)),
            "410 Expired: The resourceVersion for the provided list is too old.");
}

TEST_F(Lists, OfARevisionThatIsAheadTimeOut) {
  const auto answer = start("GET", std::string(kPods) + "?resourceVersion=999999");
  clock.pass(3 * kSecond - 1);
  EXPECT_EQ(answer->status, 0);
  clock.pass(1);
  EXPECT_EQ(problem_of(*answer),
            "504 Timeout: Timeout: Too large resource version: 999999, current: " +
                std::to_string(server->revision()));
  EXPECT_EQ(answer->headers["retry-after"], "1");
}

TEST_F(Lists, SelectByFields) {
  add_pod("a");
  add_pod("b", R"({"nodeName":"n1","schedulerName":"mine"})");
  patch(std::string(kPods) + "/a/status", R"({"status":{"phase":"Failed"}})");
  EXPECT_EQ(found("fieldSelector=metadata.name=b"), Texts{"b"});
  EXPECT_EQ(found("fieldSelector=metadata.namespace!=default"), Texts{});
  EXPECT_EQ(found("fieldSelector=spec.nodeName="), Texts{"a"});
  EXPECT_EQ(found("fieldSelector=spec.nodeName==n1"), Texts{"b"});
  EXPECT_EQ(found("fieldSelector=status.phase!=Succeeded,status.phase!=Failed"), Texts{"b"});
  EXPECT_EQ(found("fieldSelector=spec.schedulerName=default-scheduler"), Texts{"a"});
  EXPECT_EQ(problem_of(call("GET", std::string(kPods) + "?fieldSelector=spec.priority=1")),
            "400 BadRequest: field label not supported: spec.priority");
}

TEST_F(Lists, SelectByLabels) {
  add_pod("a", "{}", R"(,"labels":{"app":"x","tier":"1"})");
  add_pod("b", "{}", R"(,"labels":{"app":"y"})");
  add_pod("c");
  EXPECT_EQ(found("labelSelector=app=x"), Texts{"a"});
  EXPECT_EQ(found("labelSelector=app!=x"), (Texts{"b", "c"}));
  EXPECT_EQ(found("labelSelector=app in (x, y),tier"), Texts{"a"});
  EXPECT_EQ(found("labelSelector=app notin (x,z)"), (Texts{"b", "c"}));
  EXPECT_EQ(found("labelSelector=!app"), Texts{"c"});
  EXPECT_EQ(found("labelSelector=app"), (Texts{"a", "b"}));
  EXPECT_EQ(call("GET", std::string(kPods) + "?labelSelector=app>1").status, 400);
}

TEST_F(Lists, OfUnknownPathsAreNotFound) {
  EXPECT_EQ(call("GET", "/apis/none/v1/pods").body, "404 page not found\n");
  EXPECT_EQ(call("GET", "/apis/scheduling.x-k8s.io/v1alpha1/podgroups").status, 404);
  EXPECT_EQ(problem_of(call("GET", std::string(kPods) + "/x")),
            "404 NotFound: pods \"x\" not found");
  EXPECT_EQ(problem_of(call("GET", "/apis/apps/v1/namespaces/default/replicasets/x")),
            "404 NotFound: replicasets.apps \"x\" not found");
}

}  // namespace
}  // namespace berth::apiserver::testing
