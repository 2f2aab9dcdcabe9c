#include "plugins/dynamic_resources/dynamic_resources.h"

#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

struct Said {
  berth_code returned = BERTH_SUCCESS;
  berth_code code = BERTH_SUCCESS;
  std::string text;
};

Said post_filter(Harness& plugin, uint32_t ran) {
  Said said;
  const berth_text_sink sink{sizeof sink, 0, &said.text, [](void* to, berth_string text) {
                               static_cast<std::string*>(to)->append(text.data, text.size);
                             }};
  berth_call call{};
  call.size = sizeof call;
  call.ran = ran;
  call.error = &sink;
  berth_nomination nomination{};
  nomination.size = sizeof nomination;
  said.returned = plugin.table<berth_post_filter>(BERTH_POST_FILTER)
                      ->post_filter(plugin.raw(), &call, nullptr, 0, &nomination);
  said.code = nomination.code;
  return said;
}

TEST(DynamicResources, LetsPodsPassAndCannotHelpThem) {
  FakeHost host;
  Harness plugin(host);
  EXPECT_EQ(plugin.pre_filter({}).code, BERTH_SKIP);
  const Said said = post_filter(plugin, BERTH_ASKED_PRE_FILTER);
  EXPECT_EQ(said.returned, BERTH_SUCCESS);
  EXPECT_EQ(said.code, BERTH_UNSCHEDULABLE);
  EXPECT_EQ(said.text, "no new claims to deallocate");
}

TEST(DynamicResources, PodsWithoutClaimsScoreNothing) {
  FakeHost host;
  Harness plugin(host);
  const Columns columns{{"node.pods", std::vector<int64_t>{0, 0}}};
  EXPECT_EQ(plugin.table<berth_score>(BERTH_SCORE)->normalise, BERTH_NORMALISE_MAX);
  EXPECT_EQ(plugin.score(columns, BERTH_ASKED_PRE_FILTER), (std::vector<int64_t>{0, 0}));
  EXPECT_THROW(plugin.score(columns, 0), std::runtime_error);
}

TEST(DynamicResources, Arguments) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Harness::validate("{}"), Texts{});
  EXPECT_EQ(Harness::validate(R"({"filterTimeout": "0s", "bindingTimeout": "1s"})"), Texts{});
  EXPECT_EQ(Harness::validate(R"({"filterTimeout": null, "bindingTimeout": null})"), Texts{});
  EXPECT_EQ(Harness::validate(R"({"filterTimeout": "-1s", "bindingTimeout": "999ms", "x": 1})"),
            (Texts{"filterTimeout: Invalid value: \"-1s\": must be zero or positive",
                   "bindingTimeout: Invalid value: \"999ms\": must be at least 1 second",
                   "x: unknown field"}));
  EXPECT_EQ(Harness::validate(R"({"bindingTimeout": "soon"})"),
            Texts{"bindingTimeout: must be a duration such as 1m30s"});
}

TEST(DynamicResources, FailsIfItsPreFilterWasNotAsked) {
  FakeHost host;
  Harness plugin(host);
  const Said said = post_filter(plugin, 0);
  EXPECT_EQ(said.returned, BERTH_ERROR);
  EXPECT_EQ(said.text, "not found");
}

}  // namespace
}  // namespace berth::plugins::testing
