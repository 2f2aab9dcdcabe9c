#include "engine/service/review/client_authority.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "engine/service/review/testing.h"

namespace berth::service {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ClientAuthorityTest : public ::testing::Test {
 protected:
  static std::string map_with(const std::string& data) {
    return R"({"kind":"ConfigMap","data":{)" + data + "}}";
  }

  testing::PlayedLoop loop_;
  testing::PlayedHttp http_;
  std::vector<std::string> texts_, problems_;
  std::optional<ClientAuthority> authority_{
      std::in_place, loop_, http_, [this](std::string text) { texts_.push_back(std::move(text)); },
      [this](std::string problem) { problems_.push_back(std::move(problem)); }};
};

TEST_F(ClientAuthorityTest, IsReadAtOnceAndEachMinute) {
  ASSERT_EQ(http_.sent.size(), 1u);
  EXPECT_EQ(http_.sent[0].method, kube::Method::kGet);
  EXPECT_EQ(http_.sent[0].path,
            "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication");
  http_.answer(200, map_with(R"("client-ca-file":"one")"));
  loop_.advance(1min);
  http_.answer(200, map_with(R"("client-ca-file":"one")"));
  loop_.advance(1min);
  http_.answer(200, map_with(R"("client-ca-file":"two")"));
  loop_.advance(1min);
  http_.answer(200, map_with(""));
  EXPECT_THAT(texts_, ElementsAre("one", "two", ""));
  EXPECT_THAT(problems_, IsEmpty());
}

TEST_F(ClientAuthorityTest, StaysWhileItCannotBeRead) {
  http_.answer(200, map_with(R"("client-ca-file":"one")"));
  for (int i = 0; i < 2; ++i) {
    loop_.advance(1min);
    http_.answer(403, R"({"kind":"Status","message":"forbidden"})");
  }
  loop_.advance(1min);
  http_.answer(200, "[]");
  loop_.advance(1min);
  http_.answer(200, map_with(R"("client-ca-file":"two")"));
  loop_.advance(1min);
  http_.answer(200, "[]");
  EXPECT_THAT(texts_, ElementsAre("one", "two"));
  EXPECT_THAT(problems_, ElementsAre("forbidden", "the API server's answer is no ConfigMap",
                                     "the API server's answer is no ConfigMap"));
}

TEST_F(ClientAuthorityTest, NoConfigMapIsNoAuthority) {
  http_.answer(404, "");
  EXPECT_THAT(texts_, IsEmpty());
  EXPECT_THAT(problems_, IsEmpty());
  loop_.advance(1min);
  EXPECT_EQ(http_.open(), 1u);
}

TEST_F(ClientAuthorityTest, EndsWithItsRequest) {
  authority_.reset();
  EXPECT_EQ(http_.open() + loop_.timers(), 0u);
}

}  // namespace
}  // namespace berth::service
