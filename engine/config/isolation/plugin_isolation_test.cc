// The document that isolates plugins: beside a configuration, and with every fault.

#include "engine/config/isolation/plugin_isolation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/testing.h"

namespace berth::config {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kType[] = "apiVersion: berth/v1\nkind: PluginIsolation\n";

Configuration with_isolation(const std::string& text, const std::string& configuration = "") {
  return config::parse(testing::with_type(configuration) + "---\n" + kType + text, "file");
}

// The faults of the document, without the file name.
std::vector<std::string> refused_document(const std::string& text) {
  std::vector<std::string> faults;
  const document::Document document = testing::parse_document(kType + text);
  for (const Error& fault : plugin_isolation_in(document).faults)
    faults.push_back(std::string(fault.what()).substr(std::string_view("test.yaml:").size()));
  return faults;
}

TEST(PluginIsolation, SetsEachPlugin) {
  const Configuration configuration = with_isolation(R"(plugins:
- name: NodeName
- {name: NodePorts, onFailure: Skip, allow: [Network, Files], deadline: 1m30s, memory: 512Mi}
- {name: NodeAffinity, onFailure: Fail, allow: [], deadline: 1ms, memory: 1000}
- {name: "*", memory: 0, allow: [Files], onFailure: null, deadline: null}
)");
  EXPECT_THAT(configuration.without_effect, IsEmpty());
  const auto& isolation = configuration.isolation;
  ASSERT_EQ(isolation.plugins.size(), 4u);
  const IsolatedPlugin& plain = *isolation.of("NodeName");
  EXPECT_EQ(plain.on_failure, OnFailure::kFail);
  EXPECT_FALSE(plain.files || plain.network);
  EXPECT_EQ(plain.deadline, milliseconds(5000));
  EXPECT_EQ(plain.memory, int64_t{4} << 30);
  EXPECT_EQ(plain.place.to_string(), "file:8:9: plugins[0].name");
  const IsolatedPlugin& set = *isolation.of("NodePorts");
  EXPECT_EQ(set.on_failure, OnFailure::kSkip);
  EXPECT_TRUE(set.files && set.network);
  EXPECT_EQ(set.deadline, milliseconds(90'000));
  EXPECT_EQ(set.memory, int64_t{512} << 20);
  EXPECT_EQ(isolation.of("NodeAffinity")->memory, 1000);
  // "*" is for plugins without an entry, and no default for the others.
  const IsolatedPlugin& other = *isolation.of("ImageLocality");
  EXPECT_EQ(other.name, "*");
  EXPECT_EQ(other.memory, 0);
  EXPECT_TRUE(other.files);
  EXPECT_EQ(to_text(isolation),
            "* (allow Files, memory 0), NodeAffinity (deadline 1ms, memory 1000), NodeName, "
            "NodePorts (onFailure Skip, allow Files, allow Network, deadline 1m30s, memory "
            "536870912)");
}

TEST(PluginIsolation, IsOneOfThoseThatHoldForAPlugin) {
  PluginIsolation isolation = with_isolation("plugins: [{name: NodeName}]").isolation;
  EXPECT_EQ(isolation.of("NodePorts"), nullptr);
  EXPECT_EQ(isolation.own("NodePorts"), nullptr);
  EXPECT_EQ(isolation.own("NodeName"), &isolation.plugins[0]);
  isolation = with_isolation("plugins: [{name: '*', onFailure: Skip}]").isolation;
  isolation.own("NodePorts")->files = true;
  EXPECT_EQ(to_text(isolation), "* (onFailure Skip), NodePorts (onFailure Skip, allow Files)");
}

TEST(PluginIsolation, MayBeAbsentOrEmpty) {
  EXPECT_TRUE(config::parse(testing::with_type(""), "file").isolation.empty());
  EXPECT_TRUE(with_isolation("").isolation.empty());
  EXPECT_TRUE(with_isolation("plugins: []").isolation.empty());
  EXPECT_EQ(to_text(PluginIsolation()), "");
}

TEST(PluginIsolation, NamesPluginsThatAreNotEnabled) {
  EXPECT_THAT(with_isolation("plugins: [{name: NodeName}, {name: Elsewhere}]").without_effect,
              ElementsAre("plugins[1] of PluginIsolation (plugin \"Elsewhere\" is not enabled)"));
}

TEST(PluginIsolation, IsReadStrictly) {
  EXPECT_THAT(refused_document(R"(plugins:
- {name: A, onfailure: Skip}
- {name: A}
- {onFailure: Abort}
- {name: "", deadline: 5, memory: 1Q}
- {name: [B], allow: [files, Network, Network], deadline: 1.5ms}
- {name: C, allow: Files, deadline: -1s, memory: -1}
- D
names: []
)"),
              ElementsAre("4:13: strict decoding error: unknown field \"plugins[0].onfailure\"",
                          "5:10: plugins[1].name: Duplicate value: \"A\"",
                          "6:3: plugins[2].name: Required value",
                          "6:15: plugins[2].onFailure: Unsupported value: \"Abort\": supported "
                          "values: \"Fail\", \"Skip\"",
                          "7:10: plugins[3].name: Required value",
                          "7:24: plugins[3].deadline: must be a duration such as \"15s\" or "
                          "\"1m30s\", not 5",
                          "7:35: plugins[3].memory: Invalid value: \"1Q\": must be an amount of "
                          "memory such as 512Mi, or 0 for no limit",
                          "8:10: plugins[4].name: must be a string, not a list",
                          "8:23: plugins[4].allow[0]: Unsupported value: \"files\": supported "
                          "values: \"Files\", \"Network\"",
                          "8:39: plugins[4].allow[2]: Duplicate value: \"Network\"",
                          "8:59: plugins[4].deadline: Invalid value: \"1.5ms\": must be a whole "
                          "number of milliseconds, at least 1ms",
                          "9:20: plugins[5].allow: must be a list, not the string \"Files\"",
                          "9:37: plugins[5].deadline: Invalid value: \"-1s\": must be a whole "
                          "number of milliseconds, at least 1ms",
                          "9:50: plugins[5].memory: Invalid value: -1: must be an amount of memory "
                          "such as 512Mi, or 0 for no limit",
                          "10:3: plugins[6]: must be an object, not the string \"D\"",
                          "11:1: strict decoding error: unknown field \"names\""));
}

TEST(PluginIsolation, IsKnownByItsKindOrByItsGroup) {
  const auto faults = [](const std::string& document) {
    return testing::faults_of(
        [&] { config::parse(testing::with_type("") + "---\n" + document, "file"); });
  };
  EXPECT_THAT(faults("kind: PluginIsolation\nplugins: 3\n"),
              ElementsAre("file:5:1: apiVersion: must be \"berth/v1\", but is missing"));
  EXPECT_THAT(faults("kind: PluginIsolation\napiVersion: berth/v2\n"),
              ElementsAre("file:6:13: apiVersion: must be \"berth/v1\", not \"berth/v2\""));
  EXPECT_THAT(faults("kind: PluginIsolations\napiVersion: berth/v1\n"),
              ElementsAre("file:5:7: kind: must be \"PluginIsolation\", not \"PluginIsolations\""));
  EXPECT_THAT(faults("kind: ServiceAccount\napiVersion: v1\n"), IsEmpty());
}

TEST(PluginIsolation, IsOneDocumentBesideTheConfiguration) {
  EXPECT_THAT(testing::faults_of([] {
                with_isolation(std::string("---\n") + kType, "percentageOfNodesToScore: -1");
              }),
              ElementsAre(HasSubstr("file:1:27: percentageOfNodesToScore: Invalid value: -1"),
                          "file:8:1: is a second document of kind PluginIsolation beside that of "
                          "line 5; write all that they say into one"));
  EXPECT_THAT(testing::faults_of([] { config::parse(kType, "file"); }),
              ElementsAre(HasSubstr("apiVersion: must be"),
                          HasSubstr("not \"PluginIsolation\"; write that one beside it, as another "
                                    "document of the file")));
}

}  // namespace
}  // namespace berth::config
