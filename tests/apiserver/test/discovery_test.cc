#include "engine/kube/kinds.h"
#include "tests/apiserver/test/testing.h"

namespace berth::apiserver::testing {
namespace {

class Discovery : public Server {
 protected:
  std::vector<std::string> resources(std::string_view path) {
    std::vector<std::string> names;
    const json::value list = get(path);
    for (const json::value& resource : list.at("resources").as_array()) {
      names.emplace_back(text_at(resource, "name"));
    }
    return names;
  }
};

TEST_F(Discovery, ListsWhatSchedulingReads) {
  Options options;
  options.pod_groups = true;
  restart(options);
  for (const kube::ServedKind& kind : kube::served_kinds()) {
    const json::value list = get(kube::list_path(kind));
    EXPECT_EQ(text_at(list, "kind"), std::string(kind.name) + "List");
  }
}

TEST_F(Discovery, HasGroupsAndResources) {
  EXPECT_EQ(resources("/apis/coordination.k8s.io/v1"), std::vector<std::string>{"leases"});
  EXPECT_EQ(resources("/apis/policy/v1"),
            (std::vector<std::string>{"poddisruptionbudgets", "poddisruptionbudgets/status"}));
  EXPECT_EQ(resources("/apis/authentication.k8s.io/v1"), std::vector<std::string>{"tokenreviews"});
  EXPECT_EQ(text_at(get("/apis/apps"), "preferredVersion.groupVersion"), "apps/v1");
  EXPECT_EQ(get("/api").at("versions").at(0), json::value("v1"));
  EXPECT_EQ(get("/apis").at("groups").as_array().size(), 10u);
  const json::value pods = get("/api/v1").at("resources").at(4);
  EXPECT_EQ(text_at(pods, "name"), "pods");
  EXPECT_EQ(pods.at("shortNames").at(0), json::value("po"));
  EXPECT_EQ(call("GET", "/apis/none").status, 404);
  EXPECT_EQ(call("GET", "/openapi/v2").status, 404);
}

TEST_F(Discovery, SaysThatItIsWell) {
  for (const auto* path : {"/healthz", "/livez", "/readyz"})
    EXPECT_EQ(call("GET", path).body, "ok");
  EXPECT_EQ(text_at(get("/version"), "gitVersion"), "v1.34.1");
}

TEST_F(Discovery, AnswersATableWithPlainJson) {
  add_node("n");
  const Recorded answer =
      call("GET", kNodes, "", {{"accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}});
  EXPECT_EQ(text_at(answer.tree(), "kind"), "NodeList");
}

}  // namespace
}  // namespace berth::apiserver::testing
