#include "engine/base/rules/rules.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

namespace berth {
namespace {

TEST(KubeVersion, IsReadFromReleases) {
  for (const std::string_view text : {"1.36", "v1.36", "1.36.2", "v1.36.0-gke.1"})
    EXPECT_EQ(kube_version_named(text), KubeVersion::k1_36) << text;
  for (const std::string_view text : {"", "v", "1.3", "1.35", "1.360", "1.36-x", "36", " 1.36"})
    EXPECT_EQ(kube_version_named(text), std::nullopt) << text;
  for (const KubeVersion version : kube_versions()) {
    EXPECT_EQ(kube_version_named(version_text(version)), version);
    EXPECT_EQ(kube_version_named(release_of(version)), version);
  }
}

TEST(Rules, AreThoseOfTheVersion) {
  EXPECT_FALSE(Rules(KubeVersion::k1_34).has(Rule::kTaintsUnnamed));
  EXPECT_TRUE(Rules(KubeVersion::k1_36).has(Rule::kTaintsUnnamed));
  EXPECT_TRUE(Rules(KubeVersion::k1_34).has(Rule::kPopFromBackoff));
  EXPECT_NE(Rules(KubeVersion::k1_34), Rules(KubeVersion::k1_36));
}

TEST(Rules, AreSetOneByOne) {
  Rules rules(KubeVersion::k1_36);
  rules.set(Rule::kBatches, false);
  EXPECT_FALSE(rules.has(Rule::kBatches));
  EXPECT_TRUE(rules.has(Rule::kPopFromBackoff));
  EXPECT_NE(rules, Rules(KubeVersion::k1_36));
  rules.set(Rule::kBatches, true);
  EXPECT_EQ(rules, Rules(KubeVersion::k1_36));
}

TEST(RulesTable, HasUniqueNames) {
  std::set<std::string_view> names;
  for (const RuleInfo& info : all_rules()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(find_rule(info.name), &info_of(info.rule));
    // Both values of a rule without a gate are built by being rules of two versions.
    EXPECT_TRUE(info.gate || info.in_1_34 != info.in_1_36) << info.name;
  }
  EXPECT_EQ(find_rule("Nothing"), nullptr);
}

// docs/versions.md lists the rules with the versions that have them.
TEST(RulesTable, IsThatOfThePage) {
  std::ifstream file(BERTH_SOURCE_DIR "/docs/versions.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  const auto word = [](bool has) { return has ? std::string("yes") : std::string("no"); };
  for (const RuleInfo& info : all_rules())
    EXPECT_NE(page.find("\n| `" + std::string(info.name) + "` | " + word(info.in_1_34) + " | " +
                        word(info.in_1_36) + " | "),
              std::string::npos)
        << info.name;
}

}  // namespace
}  // namespace berth
