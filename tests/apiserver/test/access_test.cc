#include "tests/apiserver/test/testing.h"

namespace berth::apiserver::testing {
namespace {

class AccessTo : public Server {
 protected:
  AccessTo() {
    options.access.tokens["secret"] = {"berth", "7", {"schedulers"}};
    options.access.rules = {{"berth", "list", "", "pods", {}},
                            {"schedulers", "create", "", "pods/binding", {}},
                            {"berth", "get", {}, {}, "/metrics/*"}};
    restart(options);
  }
  bool allowed(const std::string& attributes) {
    const json::value review =
        create("/apis/authorization.k8s.io/v1/subjectaccessreviews",
               "{\"spec\":{\"user\":\"berth\",\"groups\":[\"schedulers\"]," + attributes + "}}");
    return review.at("status").at("allowed").as_bool();
  }

  Options options;
};

TEST_F(AccessTo, TokensIsReviewed) {
  const char* path = "/apis/authentication.k8s.io/v1/tokenreviews";
  const json::value known = create(path, R"({"spec":{"token":"secret"}})");
  EXPECT_EQ(known.at("status"), json::parse(R"({"authenticated":true,
                            "user":{"username":"berth","uid":"7","groups":["schedulers"]}})"));
  const json::value other = create(path, R"({"spec":{"token":"x"}})");
  EXPECT_EQ(other.at("status"), json::parse(R"({"authenticated":false})"));
}

TEST_F(AccessTo, ResourcesAndPathsIsReviewed) {
  EXPECT_TRUE(allowed(R"("resourceAttributes":{"verb":"list","resource":"pods"})"));
  EXPECT_FALSE(allowed(R"("resourceAttributes":{"verb":"get","resource":"pods"})"));
  EXPECT_FALSE(allowed(R"("resourceAttributes":{"verb":"list","group":"x","resource":"pods"})"));
  EXPECT_TRUE(allowed(
      R"("resourceAttributes":{"verb":"create","resource":"pods","subresource":"binding"})"));
  EXPECT_TRUE(allowed(R"("nonResourceAttributes":{"verb":"get","path":"/metrics/x"})"));
  EXPECT_FALSE(allowed(R"("nonResourceAttributes":{"verb":"get","path":"/healthz"})"));
}

TEST_F(AccessTo, TheServerIsOpenUnlessEnforced) {
  EXPECT_EQ(call("GET", kPods).status, 200);
  options.access.enforced = true;
  restart(options);
  EXPECT_EQ(problem_of(call("GET", kPods)), "401 Unauthorized: Unauthorized");
  EXPECT_EQ(call("GET", "/apis").status, 401);
  EXPECT_EQ(call("GET", "/readyz").status, 200);
  EXPECT_EQ(call("GET", "/version").status, 200);
  const std::map<std::string, std::string> bearer{{"authorization", "Bearer secret"}};
  EXPECT_EQ(call("GET", kPods, "", bearer).status, 200);
  EXPECT_EQ(call("GET", "/apis", "", bearer).status, 200);
  EXPECT_EQ(problem_of(call("GET", kNodes, "", bearer)),
            "403 Forbidden: nodes is forbidden: User \"berth\" cannot list resource \"nodes\" in "
            "API group \"\" at the cluster scope");
  EXPECT_EQ(problem_of(call("DELETE", std::string(kPods) + "/a", "", bearer)),
            "403 Forbidden: pods \"a\" is forbidden: User \"berth\" cannot delete resource "
            "\"pods\" in API group \"\" in the namespace \"default\"");
}

TEST_F(AccessTo, ComponentsIsToldByAConfigMap) {
  const char* path = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
  Options other;
  restart(other);
  EXPECT_EQ(call("GET", path).status, 404);
  other.client_authority = "PEM";
  restart(other);
  EXPECT_EQ(text_at(get(path), "data.client-ca-file"), "PEM");
  EXPECT_EQ(text_at(get(path), "data.requestheader-client-ca-file"), "PEM");
}

}  // namespace
}  // namespace berth::apiserver::testing
