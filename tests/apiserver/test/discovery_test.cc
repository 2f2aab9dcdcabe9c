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
}

TEST_F(Discovery, OffersEvictionAsKubectlAsksForIt) {
  const json::value list = get("/api/v1");
  for (const json::value& resource : list.at("resources").as_array()) {
    if (text_at(resource, "name") != "pods/eviction") continue;
    EXPECT_EQ(text_at(resource, "group"), "policy");
    EXPECT_EQ(text_at(resource, "version"), "v1");
    return;
  }
  FAIL() << "no pods/eviction";
}

TEST_F(Discovery, HasAnOpenApiDocumentWithoutDefinitions) {
  EXPECT_EQ(text_at(get("/openapi/v2"), "info.version"), "v1.34.1");
  const Recorded message =
      call("GET", "/openapi/v2", "",
           {{"accept", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"}});
  EXPECT_EQ(message.headers.at("content-type"),
            "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
  EXPECT_EQ(message.body,
            "\n\x03"
            "2.0\x12\x15\n\nKubernetes\x12\x07v1.34.1");
  EXPECT_EQ(call("GET", "/openapi/v3").status, 404);
}

TEST_F(Discovery, SaysThatItIsWell) {
  for (const auto* path : {"/healthz", "/livez", "/readyz"})
    EXPECT_EQ(call("GET", path).body, "ok");
  EXPECT_EQ(text_at(get("/version"), "gitVersion"), "v1.34.1");
}

}  // namespace
}  // namespace berth::apiserver::testing
