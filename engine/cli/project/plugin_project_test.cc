#include "engine/cli/project/plugin_project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/cli/project/hook_template.h"

namespace berth::cli {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

TEST(PluginProject, NamesHaveWords) {
  EXPECT_EQ(words_of("RackAware", '_'), "rack_aware");
  EXPECT_EQ(words_of("GPUFilter", '-'), "gpu-filter");
  EXPECT_EQ(words_of("Zone2Zone", '_'), "zone2_zone");
  EXPECT_EQ(words_of("Rack", '_'), "rack");
}

TEST(PluginProject, NamesAreChecked) {
  for (const char* good : {"Rack", "RackAware", "A2b", "GPUs"})
    EXPECT_EQ(plugin_name_problem(good), std::nullopt) << good;
  for (const char* bad :
       {"", "rack", "Rack-Aware", "Rack Aware", "../Rack", "2Racks", "NULL", "R\xc3\xa4"})
    EXPECT_THAT(plugin_name_problem(bad).value_or(""), HasSubstr("expected a name")) << bad;
  EXPECT_NE(plugin_name_problem("R" + std::string(64, 'a')), std::nullopt);
  EXPECT_THAT(plugin_name_problem("NodeName").value_or(""), HasSubstr("comes with Berth"));
  EXPECT_THAT(plugin_name_problem("Test").value_or(""), HasSubstr("CMake"));
}

TEST(PluginProject, IdsAreChecked) {
  for (const char* good : {"com.example.rack-aware", "a.b"})
    EXPECT_EQ(plugin_id_problem(good), std::nullopt) << good;
  for (const char* bad : {"", "rack", ".rack", "com.", "com.example\n", "com.\"", "a b.c"})
    EXPECT_NE(plugin_id_problem(bad), std::nullopt) << bad;
  EXPECT_NE(plugin_id_problem("a." + std::string(254, 'a')), std::nullopt);
}

// Each language has a source for each point, and nothing is left to fill in.
TEST(PluginProject, AllTemplatesAreComplete) {
  const std::map<std::string, std::string> names = {
      {"c", "rack_aware.c"}, {"c++", "rack_aware.cc"}, {"rust", "src/lib.rs"}};
  for (const std::string& language : project_languages())
    for (const std::string& point : project_points()) {
      const auto files = project_files(
          {"RackAware", "com.example.mine", language, {point}, "/usr/share/berth/rust"});
      EXPECT_THAT(files.size(), AnyOf(9u, 10u));
      EXPECT_EQ(files.front().name, names.at(language));
      EXPECT_THAT(files.front().text, HasSubstr("\"com.example.mine\""));
      EXPECT_THAT(files.front().text, HasSubstr("\"RackAware\""));
      for (const ProjectFile& file : files) {
        EXPECT_EQ(file.text.find('@'), file.text.npos) << file.name;
        EXPECT_FALSE(file.text.empty()) << file.name;
      }
    }
}

std::map<std::string, std::string> files_of(const std::string& language,
                                            const std::vector<std::string>& points) {
  std::map<std::string, std::string> files;
  for (ProjectFile& file :
       project_files({"RackAware", "com.example.mine", language, points, "/rust"}))
    EXPECT_TRUE(files.emplace(file.name, std::move(file.text)).second) << file.name << " twice";
  return files;
}

TEST(PluginProject, PointsAreChecked) {
  const auto problem = [](std::vector<std::string> points) {
    return points_problem(points).value_or("");
  };
  EXPECT_EQ(problem({"filter", "score"}), "");
  EXPECT_EQ(problem({"filter", "hints"}), "");
  EXPECT_THAT(problem({"filter", "score", "filter"}), HasSubstr("\"filter\" is named twice"));
  EXPECT_THAT(problem({"overlay-state", "hints"}), HasSubstr("two different Filters"));
}

// The template of hints has the Filter, whichever is named first.
TEST(PluginProject, APointThatAnotherBringsIsWrittenOnce) {
  EXPECT_EQ(files_of("c++", {"filter", "hints"}), files_of("c++", {"hints"}));
  EXPECT_EQ(files_of("rust", {"score", "pre-score"}), files_of("rust", {"pre-score"}));
}

// Each pair of points has the hooks of both and a case for both, and nothing is left to fill in.
TEST(PluginProject, PointsAreComposed) {
  for (const std::string& language : project_languages())
    for (const HookTemplate& one : hook_templates())
      for (const HookTemplate& two : hook_templates()) {
        const std::vector<std::string> points = {std::string(one.point), std::string(two.point)};
        if (templates_of(points).size() < 2 || points_problem(points)) continue;
        const auto files = files_of(language, points);
        for (const std::string& point : points)
          EXPECT_EQ(files.count("cases/" + point + "/expected.jsonl"), 1u) << point;
        for (const auto& [name, text] : files) {
          EXPECT_EQ(text.find('@'), text.npos) << name;
          EXPECT_FALSE(text.empty()) << name;
        }
      }
}

TEST(PluginProject, EachHookInCHasAFile) {
  const auto files = files_of("c", {"score", "post-bind", "filter"});
  EXPECT_THAT(
      files.at("CMakeLists.txt"),
      HasSubstr("rack_aware.c rack_aware_filter.c rack_aware_score.c rack_aware_post_bind.c)"));
  EXPECT_THAT(files.at("rack_aware.c"), HasSubstr("(id, BERTH_POST_BIND)) return &kPostBind;"));
  EXPECT_THAT(files.at("rack_aware.h"), HasSubstr("extern const berth_score kScore;"));
  EXPECT_THAT(files.at("rack_aware_score.c"), HasSubstr("\nconst berth_score kScore = {"));
}

TEST(PluginProject, HooksShareADescriptor) {
  EXPECT_THAT(files_of("c++", {"filter", "score"}).at("rack_aware.cc"),
              HasSubstr("sdk::Hooks<Racks, Lamps>"));
  const std::string rust = files_of("rust", {"bind", "permit"}).at("src/lib.rs");
  EXPECT_THAT(rust,
              HasSubstr("use berth_plugin::services::{Bindings, Log, Strings, WaitingPods};"));
  EXPECT_THAT(rust, HasSubstr("        permit: Pairs,\n        bind: LoudBinder,\n"));
}

// A PreFilter that skips would skip the plugin's Filter as well.
TEST(PluginProject, APreFilterBesideAFilterDoesNotSkip) {
  const auto skips = [](std::vector<std::string> points) {
    return files_of("c++", points).at("rack_aware.cc").find("      result.skip();") !=
           std::string::npos;
  };
  EXPECT_TRUE(skips({"pre-filter"}));
  EXPECT_TRUE(skips({"pre-filter", "score"}));
  EXPECT_FALSE(skips({"pre-filter", "filter"}));
  EXPECT_FALSE(skips({"pre-filter", "overlay-state"}));
}

// Points that have one plugin each replace the default; others are enabled together.
TEST(PluginProject, OneConfigurationEnablesAllHooks) {
  EXPECT_THAT(files_of("c", {"score", "queue-sort", "filter"}).at("scheduler.yaml"),
              HasSubstr("    multiPoint:\n      enabled:\n      - name: RackAware\n"
                        "        weight: 10\n    queueSort:\n"));
  EXPECT_THAT(files_of("c", {"score", "pre-filter"}).at("cases/pre-filter/scheduler.yaml"),
              HasSubstr("    preFilter:\n      enabled:\n      - name: RackAware\n"));
}

}  // namespace
}  // namespace berth::cli
