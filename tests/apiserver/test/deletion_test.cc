#include "tests/apiserver/test/testing.h"

namespace berth::apiserver::testing {
namespace {

class Deletions : public Server {
 protected:
  std::string pod(std::string_view name) { return std::string(kPods) + "/" + std::string(name); }
  bool there(std::string_view path) { return call("GET", path).status == 200; }
  void add_budget(std::string_view status) {
    const char* budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    create(budgets, R"({"metadata":{"name":"b"},"spec":{"selector":{"matchLabels":{"app":"x"}}}})");
    patch(std::string(budgets) + "/b/status", "{\"status\":" + std::string(status) + "}");
  }
  Recorded evict(std::string_view name) {
    return call("POST", pod(name) + "/eviction",
                "{\"metadata\":{\"name\":\"" + std::string(name) + "\"}}");
  }
  void run(std::string_view name) {
    add_pod(name, R"({"nodeName":"n"})", R"(,"labels":{"app":"x"})");
    patch(pod(name) + "/status", R"({"status":{"phase":"Running"}})");
  }
};

TEST_F(Deletions, OfPodsWithoutANodeAreAtOnce) {
  add_pod("a");
  const auto seen = watch(kPods);
  EXPECT_EQ(call("DELETE", pod("a")).status, 200);
  EXPECT_EQ(seen->events(), (std::vector<std::string>{"ADDED a", "DELETED a"}));
  EXPECT_EQ(problem_of(call("DELETE", pod("a"))), "404 NotFound: pods \"a\" not found");
}

TEST_F(Deletions, OfPodsOnANodeTakeTheirTime) {
  run("a");
  const Recorded answer = call("DELETE", pod("a"), "{}");
  EXPECT_EQ(text_at(answer.tree(), "metadata.deletionTimestamp"), "2023-11-14T22:13:50Z");
  EXPECT_EQ(number_at(answer.tree(), "metadata.deletionGracePeriodSeconds", 0), 30);
  clock.pass(30 * kSecond - 1);
  EXPECT_TRUE(there(pod("a")));
  clock.pass(1);
  EXPECT_FALSE(there(pod("a")));
}

TEST_F(Deletions, MayBeSpedUpAndNotSlowedDown) {
  run("a");
  call("DELETE", pod("a"), R"({"gracePeriodSeconds":20})");
  const uint64_t before = server->revision();
  call("DELETE", pod("a"), R"({"gracePeriodSeconds":25})");
  EXPECT_EQ(server->revision(), before);
  call("DELETE", pod("a"), R"({"gracePeriodSeconds":5})");
  clock.pass(5 * kSecond);
  EXPECT_FALSE(there(pod("a")));
  run("a");  // another one, whose name the first deletion knew
  clock.pass(60 * kSecond);
  EXPECT_TRUE(there(pod("a")));
  call("DELETE", pod("a") + "?gracePeriodSeconds=0");
  EXPECT_FALSE(there(pod("a")));
}

TEST_F(Deletions, FollowTheKubeletOfTheOptions) {
  Options options;
  options.grace_scale = 0.1;
  restart(options);
  run("a");
  call("DELETE", pod("a"));
  clock.pass(3 * kSecond);
  EXPECT_FALSE(there(pod("a")));

  options.grace_scale = std::nullopt;
  restart(options);
  run("a");
  call("DELETE", pod("a"));
  clock.pass(3600 * kSecond);
  EXPECT_TRUE(there(pod("a")));
  call("DELETE", pod("a"), R"({"gracePeriodSeconds":0})");
  EXPECT_FALSE(there(pod("a")));
}

TEST_F(Deletions, WaitForFinalizers) {
  add_pod("a", "{}", R"(,"finalizers":["x/y"])");
  EXPECT_EQ(call("DELETE", pod("a")).status, 200);
  EXPECT_TRUE(there(pod("a")));
  const auto seen = watch(kPods, "resourceVersion=" + std::to_string(server->revision()));
  patch(pod("a"), R"({"metadata":{"finalizers":null}})");
  EXPECT_FALSE(there(pod("a")));
  EXPECT_EQ(seen->events(), std::vector<std::string>{"DELETED a"});

  add_pod("b", R"({"nodeName":"n"})", R"(,"finalizers":["x/y"])");
  call("DELETE", pod("b"));
  patch(pod("b"), R"({"metadata":{"finalizers":null}})");
  EXPECT_TRUE(there(pod("b")));
  clock.pass(30 * kSecond);
  EXPECT_FALSE(there(pod("b")));
}

TEST_F(Deletions, CheckTheirPreconditions) {
  add_pod("a");
  const std::string uid(text_at(get(pod("a")), "metadata.uid"));
  EXPECT_EQ(problem_of(call("DELETE", pod("a"), R"({"preconditions":{"uid":"other"}})")),
            "409 Conflict: Operation cannot be fulfilled on Pod \"a\": the UID in the precondition "
            "(other) does not match the UID in record (" +
                uid + "). The object might have been deleted and then recreated");
  EXPECT_EQ(call("DELETE", pod("a"), R"({"preconditions":{"resourceVersion":"1"}})").status, 409);
  EXPECT_EQ(call("DELETE", pod("a"), "{\"preconditions\":{\"uid\":\"" + uid + "\"}}").status, 200);
}

TEST_F(Deletions, OfOtherKindsAnswerWithSuccess) {
  add_node("n");
  const json::value status = call("DELETE", std::string(kNodes) + "/n").tree();
  EXPECT_EQ(text_at(status, "status"), "Success");
  EXPECT_EQ(text_at(status, "details.name"), "n");
  EXPECT_EQ(text_at(status, "details.kind"), "nodes");
}

TEST_F(Deletions, OfCollectionsSelect) {
  add_pod("a", "{}", R"(,"labels":{"app":"x"})");
  add_pod("b");
  EXPECT_EQ(call("DELETE", std::string(kPods) + "?labelSelector=app=x").status, 200);
  EXPECT_EQ(names_of(get(kPods)), std::vector<std::string>{"b"});
}

TEST_F(Deletions, OfNamespacesEmptyThem) {
  create("/api/v1/namespaces", R"({"metadata":{"name":"ns"}})");
  create("/api/v1/namespaces/ns/pods", R"({"metadata":{"name":"a"}})");
  const auto seen = watch("/api/v1/pods", "resourceVersion=" + std::to_string(server->revision()));
  call("DELETE", "/api/v1/namespaces/ns");
  EXPECT_EQ(seen->events(), std::vector<std::string>{"DELETED a"});
  EXPECT_FALSE(there("/api/v1/namespaces/ns"));
}

TEST_F(Deletions, ByEvictionTakeFromTheBudget) {
  run("a");
  run("b");
  add_budget(R"({"observedGeneration":1,"disruptionsAllowed":1,"desiredHealthy":1,
                 "currentHealthy":2})");
  EXPECT_EQ(evict("a").status, 201);
  EXPECT_NE(text_at(get(pod("a")), "metadata.deletionTimestamp"), "");
  const char* path = "/apis/policy/v1/namespaces/default/poddisruptionbudgets/b";
  const json::value budget = get(path);
  EXPECT_EQ(number_at(budget, "status.disruptionsAllowed", -1), 0);
  EXPECT_NE(find(budget, "status.disruptedPods.a"), nullptr);

  const Recorded refused = evict("b");
  EXPECT_EQ(problem_of(refused),
            "429 TooManyRequests: Cannot evict pod as it would violate the pod's disruption "
            "budget.");
  EXPECT_EQ(text_at(refused.tree().at("details").at("causes").at(0), "message"),
            "The disruption budget b needs 1 healthy pods and has 2 currently");
  EXPECT_EQ(text_at(get(pod("b")), "metadata.deletionTimestamp"), "");
  EXPECT_EQ(evict("a").status, 201);  // it goes anyway
}

TEST_F(Deletions, ByEvictionWaitForTheBudget) {
  run("a");
  add_budget("{}");
  const Recorded refused = evict("a");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(number_at(refused.tree(), "details.retryAfterSeconds", 0), 10);
}

TEST_F(Deletions, ByEvictionAskNoBudgetForPodsThatDoNotRun) {
  add_pod("a", "{}", R"(,"labels":{"app":"x"})");
  add_budget(R"({"observedGeneration":1,"disruptionsAllowed":0})");
  EXPECT_EQ(evict("a").status, 201);
  EXPECT_FALSE(there(pod("a")));
  EXPECT_EQ(evict("a").status, 404);
}

}  // namespace
}  // namespace berth::apiserver::testing
