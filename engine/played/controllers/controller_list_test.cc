#include "engine/played/controllers/controller_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace berth::played {
namespace {

using enum ControllerName;

TEST(ControllerList, IsReadAsKubeControllerManagerDoes) {
  EXPECT_TRUE(ControllerList::parse("*").has(kTaintEviction));
  EXPECT_FALSE(ControllerList::parse("").has(kTaintEviction));
  const auto but_one = ControllerList::parse("*,-taint-eviction-controller");
  EXPECT_FALSE(but_one.has(kTaintEviction));
  EXPECT_TRUE(but_one.has(kDisruption));
  const auto one = ControllerList::parse("disruption-controller");
  EXPECT_TRUE(one.has(kDisruption));
  EXPECT_FALSE(one.has(kPodGarbage));
  EXPECT_TRUE(
      ControllerList::parse("disruption-controller,-disruption-controller").has(kDisruption));
}

TEST(ControllerList, IsWrittenAsItIsRead) {
  for (const char* text : {"", "*", "*,-taint-eviction-controller", "job-controller,kubelet"})
    EXPECT_EQ(ControllerList::parse(text).text(), text);
  EXPECT_EQ(ControllerList::parse("kubelet,job-controller,-job-controller").text(),
            "job-controller,kubelet");
}

TEST(ControllerList, NamesThoseThatThereAre) {
  try {
    ControllerList::parse("*,-disruption");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("no controller is called \"disruption\""));
    EXPECT_THAT(error.what(),
                testing::HasSubstr("job-controller, kubelet, node-lifecycle-controller"));
  }
}

}  // namespace
}  // namespace berth::played
