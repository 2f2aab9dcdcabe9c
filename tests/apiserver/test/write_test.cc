#include "tests/apiserver/test/testing.h"

namespace berth::apiserver::testing {
namespace {

class Writes : public Server {
 protected:
  std::string pod(std::string_view name) { return std::string(kPods) + "/" + std::string(name); }
  Recorded put(std::string_view target, const json::value& tree) {
    return call("PUT", target, json::serialize(tree));
  }
};

TEST_F(Writes, NewPodsGetWhatAServerAdds) {
  const json::value made = create(kPods, R"({"metadata":{"generateName":"web-"},"spec":{
      "containers":[{"name":"c","resources":{"limits":{"cpu":"2"}}}],"hostNetwork":true},
      "status":{"phase":"Running"}})");
  EXPECT_EQ(text_at(made, "kind"), "Pod");
  EXPECT_EQ(text_at(made, "status.phase"), "Pending");
  EXPECT_EQ(text_at(made, "spec.schedulerName"), "default-scheduler");
  EXPECT_EQ(number_at(made, "spec.terminationGracePeriodSeconds", 0), 30);
  EXPECT_EQ(number_at(made, "spec.priority", -1), 0);
  EXPECT_EQ(text_at(made, "spec.preemptionPolicy"), "PreemptLowerPriority");
  EXPECT_EQ(text_at(made.at("spec").at("containers").at(0), "resources.requests.cpu"), "2");
  EXPECT_EQ(text_at(made, "metadata.creationTimestamp"), "2023-11-14T22:13:20Z");
  EXPECT_EQ(text_at(made, "metadata.resourceVersion"), std::to_string(server->revision()));
  EXPECT_EQ(number_at(made, "metadata.generation", 0), 1);
  EXPECT_EQ(text_at(made, "metadata.uid").size(), 36u);
  EXPECT_EQ(text_at(made, "metadata.name").size(), 9u);
  EXPECT_EQ(find(made, "status.conditions"), nullptr);
}

TEST_F(Writes, GatedPodsSaySo) {
  add_pod("a", R"({"schedulingGates":[{"name":"g"}]})");
  const json::value made = get(pod("a"));
  const json::value& condition = made.at("status").at("conditions").at(0);
  EXPECT_EQ(text_at(condition, "type"), "PodScheduled");
  EXPECT_EQ(text_at(condition, "status"), "False");
  EXPECT_EQ(text_at(condition, "reason"), "SchedulingGated");
}

TEST_F(Writes, PriorityComesFromTheClass) {
  add_pod("a", R"({"priorityClassName":"system-node-critical"})");
  EXPECT_EQ(number_at(get(pod("a")), "spec.priority", 0), 2'000'001'000);
  create(
      "/apis/scheduling.k8s.io/v1/priorityclasses",
      R"({"metadata":{"name":"low"},"value":-5,"globalDefault":true,"preemptionPolicy":"Never"})");
  add_pod("b");
  const json::value b = get(pod("b"));
  EXPECT_EQ(number_at(b, "spec.priority", 0), -5);
  EXPECT_EQ(text_at(b, "spec.priorityClassName"), "low");
  EXPECT_EQ(text_at(b, "spec.preemptionPolicy"), "Never");
  EXPECT_EQ(problem_of(call("POST", kPods,
                            R"({"metadata":{"name":"c"},"spec":{"priorityClassName":"x"}})")),
            "403 Forbidden: pods \"c\" is forbidden: no PriorityClass with name x was found");
}

TEST_F(Writes, OfWrongObjectsAreRefused) {
  add_pod("a");
  const uint64_t before = server->revision();
  EXPECT_EQ(problem_of(call("POST", kPods, R"({"metadata":{"name":"a"}})")),
            "409 AlreadyExists: pods \"a\" already exists");
  EXPECT_EQ(
      problem_of(call("POST", "/api/v1/namespaces/none/pods", R"({"metadata":{"name":"a"}})")),
      "404 NotFound: namespaces \"none\" not found");
  EXPECT_EQ(problem_of(call("POST", kPods, "{}")),
            "422 Invalid: Pod \"\" is invalid: metadata.name: Required value: name or generateName "
            "is required");
  EXPECT_EQ(call("POST", kPods, R"({"metadata":{"name":"A"}})").status, 422);
  EXPECT_EQ(call("POST", kPods, R"({"metadata":{"name":"b","namespace":"x"}})").status, 400);
  EXPECT_EQ(call("POST", kPods, R"({"kind":"Node","metadata":{"name":"b"}})").status, 400);
  EXPECT_EQ(call("POST", kPods, "[]").status, 400);
  EXPECT_EQ(call("POST", kPods, "{").status, 400);
  EXPECT_EQ(call("POST", kPods, "x", {{"content-type", "application/yaml"}}).status, 415);
  EXPECT_EQ(call("POST", std::string(kPods) + "?dryRun=All", R"({"metadata":{"name":"b"}})").status,
            400);
  EXPECT_EQ(call("GET", kPods, "", {{"accept", "application/cbor"}}).status, 406);
  EXPECT_EQ(call("POST", "/api/v1/pods", R"({"metadata":{"name":"b"}})").status, 405);
  EXPECT_EQ(call("PUT", kPods, "{}").status, 405);
  EXPECT_EQ(server->revision(), before);
}

TEST_F(Writes, OfAnOldObjectConflict) {
  add_pod("a");
  json::value tree = get(pod("a"));
  patch(pod("a"), R"({"metadata":{"labels":{"x":"1"}}})");
  EXPECT_EQ(problem_of(put(pod("a"), tree)),
            "409 Conflict: Operation cannot be fulfilled on pods \"a\": the object has been "
            "modified; please apply your changes to the latest version and try again");
  erase_at(tree, "metadata.resourceVersion");
  EXPECT_EQ(put(pod("a"), tree).status, 200);
  EXPECT_EQ(find(get(pod("a")), "metadata.labels"), nullptr);
  make_object(tree, "metadata")["uid"] = "other";
  EXPECT_EQ(put(pod("a"), tree).status, 409);
}

TEST_F(Writes, OfLeasesNeedARevision) {
  const char* leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  json::value lease = create(leases, R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"a"}})");
  const std::string path = std::string(leases) + "/l";
  make_object(lease, "spec")["holderIdentity"] = "b";
  EXPECT_EQ(put(path, lease).status, 200);
  EXPECT_EQ(problem_of(put(path, lease)).substr(0, 12), "409 Conflict");
  erase_at(lease, "metadata.resourceVersion");
  EXPECT_EQ(put(path, lease).status, 422);
}

TEST_F(Writes, ThatChangeNothingAreNone) {
  add_pod("a");
  const uint64_t before = server->revision();
  EXPECT_EQ(put(pod("a"), get(pod("a"))).status, 200);
  EXPECT_EQ(patch(pod("a"), "{}").status, 200);
  EXPECT_EQ(server->revision(), before);
}

TEST_F(Writes, OfObjectAndStatusLeaveEachOther) {
  add_pod("a");
  json::value tree = get(pod("a"));
  make_object(tree, "status")["phase"] = "Running";
  make_object(tree, "spec")["terminationGracePeriodSeconds"] = 1;
  EXPECT_EQ(put(pod("a"), tree).status, 200);
  tree = get(pod("a"));
  EXPECT_EQ(text_at(tree, "status.phase"), "Pending");
  EXPECT_EQ(number_at(tree, "spec.terminationGracePeriodSeconds", 0), 1);
  EXPECT_EQ(number_at(tree, "metadata.generation", 0), 2);

  make_object(tree, "status")["phase"] = "Running";
  make_object(tree, "spec")["terminationGracePeriodSeconds"] = 9;
  EXPECT_EQ(put(pod("a/status"), tree).status, 200);
  tree = get(pod("a"));
  EXPECT_EQ(text_at(tree, "status.phase"), "Running");
  EXPECT_EQ(number_at(tree, "spec.terminationGracePeriodSeconds", 0), 1);
  EXPECT_EQ(number_at(tree, "metadata.generation", 0), 2);
}

TEST_F(Writes, DoNotMoveAPod) {
  add_pod("a");
  EXPECT_EQ(patch(pod("a"), R"({"spec":{"nodeName":"n"}})").status, 422);
}

TEST_F(Writes, DrawTheSameNamesFromTheSameSeed) {
  const auto uid = [&] {
    restart({});
    add_pod("a");
    return std::string(text_at(get(pod("a")), "metadata.uid"));
  };
  EXPECT_EQ(uid(), uid());
}

TEST_F(Writes, KeepTheNodesStatus) {
  create(kNodes, R"({"metadata":{"name":"n"},"status":{"allocatable":{"cpu":"4"}}})");
  EXPECT_EQ(text_at(get(std::string(kNodes) + "/n"), "status.allocatable.cpu"), "4");
}

TEST_F(Writes, UpdatesCreateLeases) {
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  const std::string path = leases + "/n";
  const json::value lease = {{"metadata", {{"name", "n"}}}, {"spec", {{"holderIdentity", "n"}}}};
  const Recorded made = put(path, lease);
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(text_at(get(path), "spec.holderIdentity"), "n");
  EXPECT_EQ(text_at(get(path), "metadata.namespace"), "kube-node-lease");
  // One that was read has to be there.
  call("DELETE", path);
  EXPECT_EQ(put(path, made.tree()).status, 409);
  EXPECT_EQ(call("GET", path).status, 404);
  EXPECT_EQ(put("/apis/coordination.k8s.io/v1/namespaces/none/leases/n", lease).status, 404);
  EXPECT_EQ(put("/api/v1/nodes/n", lease).status, 404);
  const std::string event = "/apis/events.k8s.io/v1/namespaces/default/events/e";
  EXPECT_EQ(put(event, {{"metadata", {{"name", "e"}}}, {"note", "text"}}).status, 201);
  EXPECT_EQ(text_at(get("/api/v1/namespaces/default/events/e"), "message"), "text");
}

}  // namespace
}  // namespace berth::apiserver::testing
