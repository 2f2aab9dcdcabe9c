#include "engine/kube/config/in_cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/kube/config/testing.h"

namespace berth::kube {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class InCluster : public testing::Test {
 protected:
  InCluster() {
    folder_.write("token", "eyJhbGciOi.e30.x\n");
    folder_.write("ca.crt", "-----BEGIN CERTIFICATE-----\n");
  }
  std::string fault(std::string_view host, std::string_view port) const {
    return error_of([&] { in_cluster(host, port, folder_.at("")); });
  }

  TestFolder folder_;
};

TEST_F(InCluster, ConnectsAsTheServiceAccount) {
  folder_.write("namespace", "kube-system\n");
  const Connection to = in_cluster("10.96.0.1", "443", folder_.at("."));
  EXPECT_EQ(to.server, "https://10.96.0.1:443");
  EXPECT_EQ(to.namespace_name, "kube-system");
  EXPECT_EQ(to.token_file, folder_.at(".") + "/token");
  EXPECT_EQ(to.ca.file, folder_.at(".") + "/ca.crt");
  EXPECT_EQ(to.token, "");
  EXPECT_FALSE(to.insecure);
}

TEST_F(InCluster, TakesNamesAndAddressesOfBothKinds) {
  EXPECT_EQ(in_cluster("fd00:10:96::1", "443", folder_.at("")).server,
            "https://[fd00:10:96::1]:443");
  EXPECT_EQ(in_cluster("api.example", "6443", folder_.at("")).server, "https://api.example:6443");
  EXPECT_EQ(in_cluster("api.example", "6443", folder_.at("")).namespace_name, "default");
}

TEST_F(InCluster, NeedsBothVariables) {
  EXPECT_THAT(fault("", "443"), StartsWith("not in a cluster: KUBERNETES_SERVICE_HOST"));
  EXPECT_THAT(fault("10.96.0.1", ""), StartsWith("not in a cluster"));
  EXPECT_EQ(fault("a b", "443"),
            "KUBERNETES_SERVICE_HOST is \"a b\"; expected a name or an address");
  EXPECT_THAT(fault("evil/@x", "443"), HasSubstr("expected a name"));
  for (const char* port : {"0", "65536", "-1", "443/tcp", "tcp://10.96.0.1:443", " 443", "1e3"})
    EXPECT_THAT(fault("10.96.0.1", port), HasSubstr("expected a number from 1 to 65535")) << port;
}

TEST_F(InCluster, NeedsTheFiles) {
  folder_.write("token", " \n");
  EXPECT_THAT(fault("10.96.0.1", "443"), HasSubstr("token: is empty"));
  std::filesystem::remove(folder_.at("token"));
  EXPECT_THAT(fault("10.96.0.1", "443"), HasSubstr("token: cannot be opened: No such file"));
  folder_.write("token", "t");
  std::filesystem::remove(folder_.at("ca.crt"));
  EXPECT_THAT(fault("10.96.0.1", "443"), HasSubstr("ca.crt: cannot be opened: No such file"));
  folder_.write("ca.crt", std::string((1 << 20) + 1, 'x'));
  EXPECT_THAT(fault("10.96.0.1", "443"), HasSubstr("ca.crt: is larger than"));
}

}  // namespace
}  // namespace berth::kube
