// The configurations of the conformance cases are all accepted, and the plugins with scores in
// kube-scheduler's answers are in the expanded profile of the pod.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "engine/config/testing.h"
#include "engine/config/write/write.h"

namespace berth::config {
namespace {

namespace fs = std::filesystem;
using document::Document;
using document::Value;

std::vector<fs::path> cases() {
  std::vector<fs::path> paths;
  const fs::path root = fs::path(BERTH_SHARED_DIR) / "conformance";
  if (!fs::is_directory(root)) return paths;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

Document read(const fs::path& path) {
  Diagnostics diagnostics;
  Document document = Document::read(path.string(), diagnostics);
  EXPECT_EQ(diagnostics.count(), 0u) << path;
  return document;
}

// The name of the profile that the pod "namespace/name" selects.
std::string scheduler_of(Value root, std::string_view pod) {
  for (const Value candidate : root.find("pods").elements()) {
    const Value metadata = candidate.find("metadata");
    const Value space = metadata.find("namespace");
    const std::string name = (space.present() ? std::string(space.as_string()) : "default") + "/" +
                             std::string(metadata.find("name").as_string());
    if (name != pod) continue;
    const Value scheduler = candidate.find("spec").find("schedulerName");
    return scheduler.present() ? std::string(scheduler.as_string()) : "default-scheduler";
  }
  ADD_FAILURE() << "no pod " << pod;
  return "";
}

// Checks that every plugin with a score in the answer is in the profile. Returns the number of
// scores.
size_t check_scores(Value root, const std::vector<EffectiveProfile>& profiles) {
  size_t looked_at = 0;
  for (const Value entry : root.find("expect").elements()) {
    const Value scores = entry.find("scores");
    if (scores.size() == 0) continue;
    const std::string scheduler = scheduler_of(root, entry.find("pod").as_string());
    const auto profile = std::ranges::find(profiles, scheduler, &EffectiveProfile::scheduler_name);
    if (profile == profiles.end()) {
      ADD_FAILURE() << "no profile " << scheduler;
      continue;
    }
    std::set<std::string_view> running;
    for (const PluginAt& plugin : profile->plugins[Point::kScore]) running.insert(plugin.name);
    for (const document::Member& node : scores.members()) {
      for (const document::Member& score : node.value.members()) {
        if (score.key == "total") continue;
        EXPECT_TRUE(running.contains(score.key)) << score.key;
        ++looked_at;
      }
    }
  }
  return looked_at;
}

TEST(Conformance, AllConfigurationsAreAcceptedAndRunWhatScored) {
  const std::vector<fs::path> paths = cases();
  if (paths.empty()) GTEST_SKIP() << "no conformance cases beside the source: " << BERTH_SHARED_DIR;
  size_t configurations = 0;
  size_t scores = 0;
  for (const fs::path& path : paths) {
    SCOPED_TRACE(path.string());
    const Document document = read(path);
    ASSERT_EQ(document.roots().size(), 1u);
    const Value root = document.roots().front();
    const Value config = root.find("config");
    if (!config.present()) continue;
    ++configurations;
    try {
      const Configuration configuration = from_value(document, config);
      const auto effective = expand(configuration, testing::kube_implements);
      const Configuration again = config::parse(convert(configuration).yaml, "written");
      const auto effective_again = expand(again, testing::kube_implements);
      for (size_t i = 0; i < effective.size(); ++i)
        EXPECT_EQ(effective[i].plugins, effective_again[i].plugins);
      // Scores of extenders stand among those of plugins.
      if (config.find("extenders").size() == 0) scores += check_scores(root, effective);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GT(configurations, 150u);
  EXPECT_GT(scores, 1000u);
}

}  // namespace
}  // namespace berth::config
