#include "engine/runtime/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::runtime {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Profiles with that many plugins each, all of which run at filter and have `points` points.
std::string fault(size_t profiles, size_t plugins, size_t points) {
  config::Configuration configuration;
  std::vector<config::EffectiveProfile> effective(profiles);
  for (size_t i = 0; i < profiles; ++i) {
    configuration.profiles.emplace_back().place.field = "profiles[" + std::to_string(i) + "]";
    for (size_t j = 0; j < plugins; ++j) {
      const std::string name = "P" + std::to_string(j);
      configuration.profiles[i].multi_point.enabled.push_back({.name = name, .place = {}});
      effective[i].plugins[Point::kFilter].push_back({name, 0});
    }
  }
  try {
    check_limits(configuration, effective, [&](const std::string&) { return points; });
  } catch (const config::InvalidConfiguration& error) {
    return error.what();
  }
  return "";
}

TEST(Limits, AProfileHas254FiltersAtMost) {
  EXPECT_EQ(fault(1, 254, 1), "");
  EXPECT_THAT(fault(2, 255, 1),
              AllOf(HasSubstr("profiles[0]: runs 255 plugins at filter"),
                    HasSubstr("profiles[1]: runs 255 plugins at filter"), HasSubstr("most 254")));
}

TEST(Limits, HooksOfAllProfilesAreCounted) {
  EXPECT_EQ(fault(4095 / 21, 3, 6), "");
  EXPECT_THAT(fault(4095 / 21 + 5, 3, 6),
              AllOf(HasSubstr("profiles[195]: this profile and those before it have 4116 hooks"),
                    HasSubstr("at most 4095"), ::testing::Not(HasSubstr("profiles[196]"))));
}

}  // namespace
}  // namespace berth::runtime
