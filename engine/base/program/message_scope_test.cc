#include "engine/base/program/message_scope.h"

#include <gtest/gtest.h>

#include "engine/base/program/messages.h"

namespace berth {
namespace {

TEST(MessageScope, SaysEachMessageOnce) {
  testing::internal::CaptureStderr();
  {
    const MessageScope scope;
    say("one"), say("two"), say("one");
  }
  say("one");
  {
    const MessageScope another;
    say("one");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "berth: one\nberth: two\nberth: one\nberth: one\n");
}

TEST(MessageScope, NamesInputsAsTheUserDid) {
  const MessageScope scope(std::vector<MessageScope::Name>{{"/proc/self/fd/9", "-"}});
  EXPECT_EQ(scope.of_user("/proc/self/fd/9:3: no"), "-:3: no");
  testing::internal::CaptureStderr();
  say("/proc/self/fd/9 and /proc/self/fd/9");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "berth: - and -\n");
}

}  // namespace
}  // namespace berth
