// Random configurations of every version: what is written of them can be read again and has the
// same plugins, weights and arguments.

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "engine/config/config.h"
#include "engine/config/profiles/equal.h"
#include "engine/config/write/write.h"
#include "tests/properties/random_world.h"

namespace berth::tests {
namespace {

using config::Configuration;
using config::Version;

// A configuration of v1 as one of another version.
std::string of_version(std::string text, Version version) {
  const std::string_view v1 = config::api_version(Version::kV1);
  const std::string_view other = config::api_version(version);
  for (size_t at = 0; (at = text.find(v1, at)) != text.npos; at += other.size())
    text.replace(at, v1.size(), other);
  return text;
}

// Old versions have no percentage in a profile.
bool is_of_version(const std::string& text, Version version) {
  return version == Version::kV1 ||
         text.find("\"percentageOfNodesToScore\"", text.find("\"profiles\"")) == text.npos;
}

// "name weight" of every plugin, by list. EBSLimits and its like, which v1 does not have, are left
// out.
std::vector<std::string> plugins(const config::Profile& profile) {
  std::vector<std::string> all;
  const auto add = [&](std::string_view list, const config::PluginSet& set) {
    for (const config::PluginRef& plugin : set.enabled)
      if (!plugin.name.ends_with("Limits") || plugin.name == "NodeVolumeLimits")
        all.push_back(std::string(list) + " " + plugin.name + " " + std::to_string(plugin.weight));
  };
  add("multiPoint", profile.multi_point);
  for (const Point point : kConfiguredPoints) add(point_info(point).key, profile.points[point]);
  return all;
}

void expect_same(const Configuration& configuration) {
  const std::string yaml = config::convert(configuration).yaml;
  const Configuration again = config::parse(yaml, "written.yaml");
  EXPECT_EQ(config::convert(again).yaml, yaml);
  ASSERT_EQ(again.profiles.size(), configuration.profiles.size());
  EXPECT_EQ(again.percentage_of_nodes_to_score, configuration.percentage_of_nodes_to_score);
  for (size_t i = 0; i < again.profiles.size(); ++i) {
    EXPECT_EQ(plugins(again.profiles[i]), plugins(configuration.profiles[i]));
    EXPECT_EQ(again.percentage_for(again.profiles[i]),
              configuration.percentage_for(configuration.profiles[i]));
    if (configuration.version != Version::kV1) continue;  // their arguments name the version
    for (const config::PluginArgs& args : configuration.profiles[i].plugin_config)
      EXPECT_TRUE(config::equal(args.args, again.profiles[i].args_of(args.name)->args));
  }
}

TEST(RandomConfigurations, MeanTheSameWhenWritten) {
  int tried = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Dice dice(seed);
    PluginArguments arguments;
    const std::string text = random_config(dice, arguments);
    for (const Version version : {Version::kV1Beta2, Version::kV1Beta3, Version::kV1}) {
      if (!is_of_version(text, version)) continue;
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " +
                   std::string(config::version_name(version)));
      expect_same(config::parse(of_version(text, version), "random"));
      ++tried;
    }
  }
  EXPECT_GT(tried, 600);
}

}  // namespace
}  // namespace berth::tests
