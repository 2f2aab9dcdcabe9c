#include "loadgen/workload/workload.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace berth::loadgen {
namespace {

TEST(WorkloadNames, FitAPatternAsAWhole) {
  EXPECT_TRUE(name_fits("", ""));
  EXPECT_TRUE(name_fits("Basic/5Nodes", "Basic/5Nodes"));
  EXPECT_FALSE(name_fits("Basic/5Nodes", "5Nodes"));
  EXPECT_FALSE(name_fits("Basic/5Nodes", "Basic"));
  EXPECT_FALSE(name_fits("Basic/5Nodes", ""));
  EXPECT_FALSE(name_fits("", "?"));
  EXPECT_TRUE(name_fits("", "**"));
}

TEST(WorkloadNames, HaveAnythingWhereThePatternHasAStar) {
  for (const char* pattern : {"*", "*5Nodes", "Basic*", "*sic/5*", "B*/*s", "**Basic**", "*5*"})
    EXPECT_TRUE(name_fits("Basic/5Nodes", pattern)) << pattern;
  EXPECT_TRUE(name_fits("abababc", "*abc"));
  EXPECT_TRUE(name_fits("abababc", "a*b*c"));
  EXPECT_FALSE(name_fits("abababc", "*abd*"));
  EXPECT_FALSE(name_fits("ab", "a*b*b"));
}

TEST(WorkloadNames, HaveOneCharacterWhereThePatternHasAQuestionMark) {
  EXPECT_TRUE(name_fits("5Nodes", "?Nodes"));
  EXPECT_FALSE(name_fits("50Nodes", "?Nodes"));
  EXPECT_TRUE(name_fits("50Nodes", "?*?Nodes"));
  EXPECT_TRUE(name_fits("größe", "gr??e"));
  EXPECT_FALSE(name_fits("größe", "gr???e"));
}

TEST(WorkloadNames, AreNoSetsOfCharacters) {
  EXPECT_TRUE(name_fits("a[1]", "a[1]"));
  EXPECT_FALSE(name_fits("a1", "a[1]"));
  EXPECT_TRUE(name_fits("a\\b", "a\\b"));
}

TEST(WorkloadNames, FitQuicklyHoweverManyStars) {
  std::string pattern;
  for (int i = 0; i < 1000; ++i) pattern += "*a";
  EXPECT_FALSE(name_fits(std::string(10'000, 'a') + 'b', pattern));
}

std::string why_refused(const std::string& name) {
  Diagnostics diagnostics;
  try {
    find_workloads(name, diagnostics);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(FindWorkloads, SaysWhichFileOfAFolderIsMeant) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "find_workloads";
  std::filesystem::create_directories(folder);
  const std::string place = folder.string() + ": is a folder";
  EXPECT_THAT(why_refused(folder),
              testing::StartsWith(place + " without an openb trace: expected a "
                                          "file, such as a performance-config."));
  std::ofstream(folder / "performance-config.yaml") << "[]";
  EXPECT_EQ(why_refused(folder), place + ": name the file performance-config.yaml in it");
  std::filesystem::remove_all(folder);
}

// A name like that of a file may be one that somebody else forgot to write.
TEST(FindWorkloads, ANameThatIsNoPresetIsWrongUse) {
  Diagnostics diagnostics;
  EXPECT_THROW(find_workloads("mixd", diagnostics), UsageError);
  try {
    find_workloads("mixd.yaml", diagnostics);
    ADD_FAILURE() << "found";
  } catch (const Error& error) {
    EXPECT_EQ(dynamic_cast<const UsageError*>(&error), nullptr);
  }
}

TEST(OpenedWorkloads, RefuseWrongSettingsAsWrongUse) {
  Diagnostics diagnostics;
  const Workload workload = find_workloads("mixed", diagnostics).at(0);
  EXPECT_NE(workload.open({.seed = 1, .parameters = {{"pods", "10"}}}), nullptr);
  EXPECT_THROW(workload.open({.seed = 1, .parameters = {{"pod", "10"}}}), UsageError);
  EXPECT_THROW(workload.open({.seed = 1, .parameters = {{"pods", "x"}}}), UsageError);
}

// The settings are right, and a file that the workload names is not there.
TEST(OpenedWorkloads, ThatAreBrokenAreNoWrongUse) {
  const std::string path = testing::TempDir() + "opened_workload.yaml";
  std::ofstream(path) << "apiVersion: berth/v1\nkind: Workload\nname: replayed\n"
                         "parameters: {nodes: 1}\n"
                         "cluster: {nodes: $nodes, shapes: [{name: a, allocatable: {cpu: 4}}]}\n"
                         "templates: [{name: t, template: {spec: {containers: [{name: c}]}}}]\n"
                         "arrivals: [{replay: {file: no-times}}]\n";
  Diagnostics diagnostics;
  const std::vector<Workload> workloads = find_workloads(path, diagnostics);
  std::filesystem::remove(path);
  ASSERT_EQ(workloads.size(), 1u);
  EXPECT_THROW(workloads[0].open({.seed = 1, .parameters = {{"node", "2"}}}), UsageError);
  try {
    workloads[0].open({.seed = 1, .parameters = {{"nodes", "2"}}});
    ADD_FAILURE() << "opened";
  } catch (const Error& error) {
    EXPECT_EQ(dynamic_cast<const UsageError*>(&error), nullptr) << error.what();
    EXPECT_THAT(error.what(), testing::HasSubstr("no-times"));
  }
}

}  // namespace
}  // namespace berth::loadgen
