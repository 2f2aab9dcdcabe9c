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

TEST(DynamicResources, FailsIfItsPreFilterWasNotAsked) {
  FakeHost host;
  Harness plugin(host);
  const Said said = post_filter(plugin, 0);
  EXPECT_EQ(said.returned, BERTH_ERROR);
  EXPECT_EQ(said.text, "not found");
}

}  // namespace
}  // namespace berth::plugins::testing
