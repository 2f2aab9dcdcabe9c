// The lists of extension points agree: those of the ABI's headers, the SDK, the engine and
// profiles.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "berth/sdk/points.hpp"
#include "engine/host/calls/revisions.h"
#include "engine/runtime/assembly.h"
#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using Names = std::set<std::string>;

Names of_host() {
  Names ids;
  for (const PointInfo& info : kPoints) ids.emplace(host::point_id(info.point));
  return ids;
}

TEST(Points, TheHostHasThoseOfTheAbisHeaders) {
  const std::regex define("#define BERTH_[A-Z_]+ \"(berth\\.[a-z_]+/[0-9]+)\"");
  Names ids;
  for (const auto& header :
       std::filesystem::directory_iterator(BERTH_SOURCE_DIR "/abi/include/berth/abi")) {
    std::ifstream file(header.path());
    std::smatch match;
    for (std::string line; std::getline(file, line);)
      if (line.find("_SERVICE") == line.npos && std::regex_search(line, match, define))
        ids.insert(match[1]);
  }
  EXPECT_EQ(ids, of_host());
}

TEST(Points, TheSdkHasThoseOfTheHost) {
  Names ids;
  for (const sdk::PointInfo& point : sdk::kPoints) ids.emplace(point.id);
  EXPECT_EQ(ids, of_host());
  for (const std::string& id : ids)
    EXPECT_NE(host::find_revision(host::host_revisions(), id), nullptr) << id;
}

// A plugin states the lowest host that it needs from what the SDK knows of points, services and
// columns.
TEST(Points, TheSdkHasTheMinorVersionOfEach) {
  const std::regex id("\\w+ = \"(berth\\.[a-z_]+/[0-9]+)\", since 1\\.([0-9]+)");
  const std::regex column("column ([a-z_.]+:?)(?:KEY)? = .*, since 1\\.([0-9]+)");
  std::ifstream list(BERTH_SOURCE_DIR "/abi/layout.list");
  size_t found = 0;
  std::smatch match;
  for (std::string line; std::getline(list, line);) {
    if (!std::regex_match(line, match, id) && !std::regex_match(line, match, column)) continue;
    const std::string name = match[1];
    const size_t point = sdk::point_index(name);
    const uint16_t minor = point < sdk::kPoints.size() ? sdk::kPoints[point].since_minor
                                                       : sdk::since_minor(name, sdk::kAdditions);
    EXPECT_EQ(std::to_string(minor), match[2]) << line;
    ++found;
  }
  EXPECT_GT(found, sdk::kPoints.size() + 100);
}

// Configurations call a point as plugins do, but for the case of the first letter.
TEST(Points, KeysFollowNames) {
  for (const PointInfo& info : kPoints) {
    if (info.key.empty()) continue;
    EXPECT_EQ(info.key.substr(1), info.name.substr(1));
    EXPECT_EQ(info.key[0] - 'a', info.name[0] - 'A') << info.key;
  }
}

// A profile has a hook at each point at which a configuration can enable a plugin.
TEST(Points, AProfileHasHooksAtEachOfThem) {
  PluginFolder folder;
  folder.add_of_tests("every_point", "every_point.so");
  runtime::Plugins plugins = folder.discover();
  runtime::Core session(
      config::parse("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
                    "profiles: [{plugins: {multiPoint: {disabled: [{name: '*'}], enabled: [{name: "
                    "EveryPoint}]}}}]",
                    "config"),
      plugins);
  std::set<Point> found;
  session.assembly().profiles[0]->for_each_hook(
      [&](framework::BoundHook& hook) { found.insert(hook.hook().point()); });
  for (const Point point : kConfiguredPoints)
    EXPECT_TRUE(found.contains(point)) << point_name(point);
}

}  // namespace
}  // namespace berth::tests
