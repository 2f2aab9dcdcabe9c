#include "tests/apiserver/test/testing.h"

namespace berth::apiserver::testing {
namespace {

class Bindings : public Server {
 protected:
  std::string refusal(const Recorded& answer) {
    EXPECT_EQ(text_at(answer.tree(), "details.kind"), "pods/binding");
    return problem_of(answer);
  }
};

TEST_F(Bindings, PutAPodOnItsNode) {
  add_node("n", R"({"topology.kubernetes.io/zone":"z","topology.kubernetes.io/region":"r",
                    "other":"o"})");
  add_pod("a");
  patch(std::string(kPods) + "/a/status", R"({"status":{"nominatedNodeName":"m","conditions":[
      {"type":"PodScheduled","status":"False","reason":"Unschedulable",
       "lastTransitionTime":"2023-11-14T20:00:00Z"}]}})");
  const auto seen = watch("/api/v1/pods", "resourceVersion=" + std::to_string(server->revision()));
  clock.pass(kSecond);
  const Recorded answer = bind("a", "n", R"(,"annotations":{"why":"so"})");
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(answer.tree(), json::parse(R"({"kind":"Status","apiVersion":"v1","metadata":{},
                                           "status":"Success"})"));
  EXPECT_EQ(seen->events(), std::vector<std::string>{"MODIFIED a"});

  const json::value pod = get(std::string(kPods) + "/a");
  EXPECT_EQ(text_at(pod, "spec.nodeName"), "n");
  EXPECT_EQ(text_at(pod, "metadata.annotations.why"), "so");
  EXPECT_EQ(find(pod, "status.nominatedNodeName"), nullptr);
  EXPECT_EQ(pod.at("metadata").at("labels"), json::parse(R"({"topology.kubernetes.io/zone":"z",
                            "topology.kubernetes.io/region":"r"})"));
  EXPECT_EQ(pod.at("status").at("conditions"),
            json::parse(R"([{"type":"PodScheduled","status":"True","lastProbeTime":null,
                             "lastTransitionTime":"2023-11-14T22:13:21Z"}])"));
  EXPECT_EQ(number_at(pod, "metadata.generation", 0), 1);
}

TEST_F(Bindings, OfBoundPodsConflict) {
  add_pod("a");
  EXPECT_EQ(bind("a", "unknown-node").status, 201);
  const uint64_t before = server->revision();
  EXPECT_EQ(refusal(bind("a", "unknown-node")),
            "409 Conflict: Operation cannot be fulfilled on pods/binding \"a\": pod a is already "
            "assigned to node \"unknown-node\"");
  EXPECT_EQ(server->revision(), before);
}

TEST_F(Bindings, OfGatedAndOfDeletedPodsConflict) {
  add_pod("gated", R"({"schedulingGates":[{"name":"g"}]})");
  EXPECT_EQ(refusal(bind("gated", "n")),
            "409 Conflict: Operation cannot be fulfilled on pods/binding \"gated\": pod gated has "
            "non-empty .spec.schedulingGates");
  add_pod("held", "{}", R"(,"finalizers":["x/y"])");
  call("DELETE", std::string(kPods) + "/held");
  EXPECT_EQ(refusal(bind("held", "n")),
            "409 Conflict: Operation cannot be fulfilled on pods/binding \"held\": pod held is "
            "being deleted, cannot be assigned to a host");
}

TEST_F(Bindings, OfAnotherPodOfTheNameConflict) {
  add_pod("a");
  const std::string uid(text_at(get(std::string(kPods) + "/a"), "metadata.uid"));
  const Recorded answer = bind("a", "n", R"(,"uid":"other")");
  EXPECT_EQ(problem_of(answer),
            "409 Conflict: Operation cannot be fulfilled on pods \"a\": StorageError: invalid "
            "object, Code: 4, Key: /registry/pods/default/a, ResourceVersion: 0, "
            "AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object "
            "meta: " +
                uid);
  EXPECT_EQ(text_at(answer.tree(), "details.kind"), "pods");
  EXPECT_EQ(bind("a", "n", ",\"uid\":\"" + uid + "\"").status, 201);
}

TEST_F(Bindings, NeedAPodAndANode) {
  EXPECT_EQ(problem_of(bind("a", "n")), "404 NotFound: pods \"a\" not found");
  add_pod("a");
  EXPECT_EQ(problem_of(bind("a", "")), "500: target.name: Required value");
}

TEST_F(Bindings, MayNameThePodInTheBody) {
  add_pod("a");
  const std::string body = R"({"metadata":{"name":"a"},"target":{"name":"n"}})";
  EXPECT_EQ(call("POST", "/api/v1/namespaces/default/bindings", body).status, 201);
  EXPECT_EQ(text_at(get(std::string(kPods) + "/a"), "spec.nodeName"), "n");
}

}  // namespace
}  // namespace berth::apiserver::testing
