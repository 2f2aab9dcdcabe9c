// What a configuration and folders of plugins come to: errors, what is left out, what is not
// called.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "berth/shipped_plugins.h"
#include "engine/runtime/testing/model_access.h"
#include "tests/runtime/folder.h"

namespace berth::tests {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAreArray;

constexpr char kHead[] =
    "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: ";

// A session over the plugins of a folder; empty text: it started.
std::string failure(const PluginFolder& folder, const std::string& profiles, auto&& look_at) {
  const std::array<std::filesystem::path, 1> folders{folder.path()};
  runtime::Plugins plugins(host::discover(folders));
  try {
    runtime::CoreOptions options;
    options.deadlines.limit = std::chrono::minutes(5);  // of a call over thousands of keys
    runtime::Core session(config::parse(kHead + profiles, "config"), plugins, options);
    look_at(session);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string failure(const PluginFolder& folder, const std::string& profiles = "[{}]") {
  return failure(folder, profiles, [](const runtime::Core&) {});
}

constexpr char kWithoutFit[] = "[{plugins: {multiPoint: {disabled: [{name: NodeResourcesFit}]}}}]";

TEST(Assembly, TheDefaultsAreMadeOfTheShippedPlugins) {
  PluginFolder folder;
  folder.add_shipped_but("");
  EXPECT_EQ(failure(folder, "[{}]", [](const runtime::Core&) {}), "");
}

TEST(Assembly, ADefaultPluginThatShipsAndIsAbsentIsAnError) {
  PluginFolder folder;
  folder.add_shipped_but("node_resources_fit");
  EXPECT_THAT(failure(folder), AllOf(HasSubstr("come with Berth"), HasSubstr("NodeResourcesFit"),
                                     Not(HasSubstr("NodeName")), HasSubstr("--plugins")));
  EXPECT_EQ(failure(folder, kWithoutFit), "");
}

// The build makes the list from the names of files.
TEST(Assembly, TheListOfShippedPluginsIsThatOfTheirFolder) {
  PluginFolder folder;
  folder.add_shipped_but("");
  const std::array<std::filesystem::path, 1> folders{folder.path()};
  std::vector<std::string_view> found;
  const host::Discovery discovery = host::discover(folders);
  for (const host::Found& plugin : discovery.plugins) found.push_back(plugin.identity.name);
  EXPECT_THAT(found, UnorderedElementsAreArray(kShippedPlugins));
}

TEST(Assembly, ADefaultPluginWithAnUnusableFileIsAnError) {
  using Spoil = void (*)(const std::filesystem::path&);
  const std::pair<Spoil, const char*> faults[] = {
      {[](const std::filesystem::path& file) {
         std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
       },
       "truncated"},
      {[](const std::filesystem::path& file) { std::filesystem::resize_file(file, 0); },
       "not a shared object"},
      {[](const std::filesystem::path& file) { chmod(file.c_str(), 0777); }, "mode 0777"},
      {[](const std::filesystem::path& file) {
         std::filesystem::copy_file(file, file.parent_path() / "copy.so");
       },
       "copy.so; remove all but one"},
  };
  for (const auto& [spoil, reason] : faults) {
    PluginFolder folder;
    folder.add_shipped_but("");
    spoil(folder.path() / "node_resources_fit.so");
    EXPECT_THAT(failure(folder),
                AllOf(HasSubstr("plugin \"NodeResourcesFit\""), HasSubstr("node_resources_fit.so"),
                      HasSubstr(reason), HasSubstr("disable the plugin"), HasSubstr(":\n  plugin "),
                      Not(HasSubstr("\\n"))));
    EXPECT_EQ(failure(folder, kWithoutFit), "");
  }
}

TEST(Assembly, AFolderThatCannotBeSearchedIsAnErrorIfPluginsAreMissing) {
  PluginFolder folder;
  folder.add_shipped_but("volume_binding");
  const std::array<std::filesystem::path, 2> folders{folder.path(), "/no/such/folder"};
  runtime::Plugins plugins(host::discover(folders));
  try {
    runtime::Core session(config::defaults(), plugins);
    ADD_FAILURE() << "it started";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("/no/such/folder: cannot read the plugin folder"),
                                    HasSubstr("\"VolumeBinding\"")));
  }
}

TEST(Assembly, MoreHooksThanCanBeCountedAreAFaultOfTheConfiguration) {
  PluginFolder folder;
  folder.add_shipped_but("");
  std::string profiles;
  for (int i = 0; i < 150; ++i)
    profiles += (i == 0 ? "[" : ", ") + ("{schedulerName: p" + std::to_string(i)) + "}";
  EXPECT_THAT(failure(folder, profiles + "]"),
              AllOf(HasSubstr("config:3:"), HasSubstr("hooks, and all profiles together can have "
                                                      "at most 4095")));
}

TEST(Assembly, ArgumentsWithoutEffectNameTheirPlugin) {
  PluginFolder folder;
  folder.add_shipped_but("");
  EXPECT_EQ(failure(folder, "[{pluginConfig: [{name: NodeName, args: {a: 1}}]}]",
                    [](const runtime::Core& session) {
                      EXPECT_THAT(session.assembly().without_effect,
                                  ElementsAre("profiles[0].pluginConfig[0].args (plugin "
                                              "\"NodeName\")"));
                    }),
            "");
}

// Schedules a pod on one of two nodes with these labels, so that nodes are scored.
void schedule(runtime::Core& session, const model::Pod& pod, const model::StringMap& labels) {
  model::Node node;
  node.labels = labels;
  node.allocatable = {{"pods", model::Quantity::from_units(9)}};
  for (const char* name : {"n", "m"}) {
    node.name = name;
    runtime::ModelAccess::of(session).put_node(node);
  }
  std::string message = "no report";
  session.report_to([&](const runtime::Report& report) {
    if (const framework::Decision* decision = runtime::decision_of(report))
      message = decision->message;
  });
  const model::PodId id = session.door().add(pod);
  session.door().arrive({&id, 1});
  session.run_until_idle();
  EXPECT_EQ(message, "");
}

// A template may narrow its inputs to very many columns: one or more for each term.
TEST(Assembly, PodsMayHaveThousandsOfTerms) {
  PluginFolder folder;
  folder.add_shipped_but("");
  const model::StringMap labels = {{"kubernetes.io/hostname", "n"}};
  model::Pod spread;
  spread.namespace_name = "default";
  spread.name = "spread";
  model::Pod apart = spread;
  apart.name = "apart";
  model::PodAffinity& apart_from = apart.spec.affinity.pod_anti_affinity.emplace();
  for (int i = 0; i < 5000; ++i) {
    model::PodAffinityTerm term;
    term.topology_key = "kubernetes.io/hostname";
    term.label_selector.emplace().match_labels = {{"app", std::to_string(i)}};
    apart_from.required.push_back(term);
    if (i >= 1500) continue;
    model::TopologySpreadConstraint constraint;
    constraint.max_skew = 1;
    constraint.topology_key = term.topology_key;
    constraint.when_unsatisfiable = "DoNotSchedule";
    constraint.label_selector = term.label_selector;
    spread.spec.topology_spread_constraints.push_back(constraint);
  }
  for (const model::Pod& pod : {spread, apart})
    EXPECT_EQ(
        failure(folder, "[{}]", [&](runtime::Core& session) { schedule(session, pod, labels); }),
        "");
}

// With a list of participants of its own, each of these constraints would look at all keys: this
// would take minutes.
TEST(Assembly, PodsMayHaveThousandsOfTopologyKeys) {
  PluginFolder folder;
  folder.add_shipped_but("");
  for (const char* action : {"DoNotSchedule", "ScheduleAnyway"}) {
    model::Pod pod;
    pod.namespace_name = "default";
    pod.name = "spread";
    model::StringMap labels;
    for (int i = 0; i < 9000; ++i) {
      model::TopologySpreadConstraint constraint;
      constraint.max_skew = 1;
      constraint.topology_key = "key-" + std::to_string(100'000 + i);
      constraint.when_unsatisfiable = action;
      constraint.label_selector.emplace().match_labels = {{"app", "web"}};
      labels.emplace_back(constraint.topology_key, "value");
      pod.spec.topology_spread_constraints.push_back(constraint);
    }
    EXPECT_EQ(failure(folder, "[{}]",
                      [&](runtime::Core& session) {
                        schedule(session, pod, labels);
                        EXPECT_EQ(session.cluster().counts().count(), 9000u);
                        session.cluster().verify_counts();
                      }),
              "");
  }
}

}  // namespace
}  // namespace berth::tests
