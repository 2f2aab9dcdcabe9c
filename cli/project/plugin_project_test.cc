#include "cli/project/plugin_project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

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

TEST(PluginProject, CmakeIsToldWhereBerthIsUnlessItFindsIt) {
  EXPECT_EQ(prefix_to_tell({"/opt/berth", "", "/usr/bin:/bin"}), "/opt/berth");
  EXPECT_EQ(prefix_to_tell({"/opt/berth", "/opt/berth2:/opt", "/opt/berth/bin2"}), "/opt/berth");
  EXPECT_EQ(prefix_to_tell({"/opt/berth", "/other:/opt/berth", ""}), "");
  EXPECT_EQ(prefix_to_tell({"/opt/berth", "", "/bin:/opt/berth/bin"}), "");
  EXPECT_EQ(prefix_to_tell({"/usr", "", ""}), "");
  const PluginProject project{"RackAware", "com.example.mine", "c++", "filter", ""};
  EXPECT_EQ(project_commands(project, "rack", "/opt/berth").front(),
            "cmake -S rack -B rack/build -D CMAKE_PREFIX_PATH=\"/opt/berth\" && cmake --build "
            "rack/build");
  EXPECT_EQ(project_commands(project, "rack", "").front(),
            "cmake -S rack -B rack/build && cmake --build rack/build");
}

// Each language has a source for each point, and nothing is left to fill in.
TEST(PluginProject, AllTemplatesAreComplete) {
  const std::map<std::string, std::string> names = {
      {"c", "rack_aware.c"}, {"c++", "rack_aware.cc"}, {"rust", "src/lib.rs"}};
  for (const std::string& language : project_languages())
    for (const std::string& point : project_points()) {
      const auto files = project_files(
          {"RackAware", "com.example.mine", language, point, "/usr/share/berth/rust"});
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

TEST(PluginProject, FilesAreThoseOfThePointOrElseTheCommonOnes) {
  const auto files_of = [](const std::string& point) {
    std::map<std::string, std::string> files;
    for (ProjectFile& file :
         project_files({"RackAware", "com.example.mine", "c++", point, "/rust"}))
      EXPECT_TRUE(files.emplace(file.name, std::move(file.text)).second) << file.name << " twice";
    return files;
  };
  const auto filter = files_of("filter");
  EXPECT_THAT(filter.at("scheduler.yaml"), HasSubstr("    multiPoint:\n"));
  EXPECT_THAT(files_of("bind").at("scheduler.yaml"), HasSubstr("    bind:\n"));
  EXPECT_EQ(filter.count("expected.log"), 0u);
  EXPECT_EQ(files_of("bind").count("expected.log"), 1u);
  EXPECT_THAT(filter.at("README.md"), HasSubstr("--pods pods.yaml"));
  EXPECT_THAT(files_of("hints").at("README.md"), HasSubstr("--pods pods.jsonl"));
}

}  // namespace
}  // namespace berth::cli
