// A QueueSort whose keys are longer than the queue's entries.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/isolation/parent/isolation.h"
#include "engine/runtime/testing/model_access.h"
#include "tests/runtime/folder.h"

namespace berth::tests {
namespace {

// The shipped plugins and WideOrder (plugins/wide_order.c), in a process of its own if `isolated`.
runtime::Plugins plugins_of_queue(const PluginFolder& folder, bool isolated) {
  const std::array<std::filesystem::path, 1> folders{folder.path()};
  return runtime::Plugins(
      host::discover(folders), [=](const std::string& name, host::SealedFile file) {
        if (!isolated || name != "WideOrder") return host::Library::load(std::move(file));
        return isolation::load_isolated(
            std::move(file), {.program = BERTH_BUILD_DIR "/lib/berth/berth-plugin-host"});
      });
}

// One node, and a profile for each name.
class WideQueue {
 public:
  WideQueue(bool isolated, const std::vector<std::string>& profiles) {
    folder_.add_shipped_but("");
    folder_.add_of_tests("cycle_wide_order", "wide_order.so");
    plugins_.emplace(plugins_of_queue(folder_, isolated));
    std::string list;
    for (const std::string& name : profiles)
      list += (list.empty() ? "" : ", ") + std::string("{schedulerName: ") + name +
              ", plugins: {queueSort: {disabled: [{name: '*'}], enabled: [{name: WideOrder}]}}}";
    runtime::CoreOptions options;
    options.audits = runtime::AuditPace::kNever;
    core_.emplace(config::parse("apiVersion: kubescheduler.config.k8s.io/v1\n"
                                "kind: KubeSchedulerConfiguration\nprofiles: [" +
                                    list + "]",
                                "config"),
                  *plugins_, options, [this](const runtime::Report& report) {
                    if (const auto* to = std::get_if<runtime::Scheduled>(&report))
                      order_ += runtime::ModelAccess::of(*core_).text(
                          runtime::ModelAccess::of(*core_).pod(to->pod).name);
                  });
    model::Node node;
    node.name = "n";
    node.allocatable = {{"pods", model::Quantity::from_units(110)}};
    runtime::ModelAccess::of(*core_).put_node(node);
  }

  // Pods of these names with these priorities arrive together. Returns the names in the order in
  // which the pods are scheduled.
  std::string order(const std::vector<std::pair<std::string, int>>& pods) {
    std::vector<model::PodId> ids;
    for (const auto& [name, priority] : pods) {
      model::Pod pod;
      pod.namespace_name = "default";
      pod.name = name;
      pod.spec.containers.resize(1);
      pod.spec.priority = priority;
      ids.push_back(core_->door().add(pod));
    }
    core_->door().arrive(ids);
    while (core_->has_active()) core_->step();
    return order_;
  }

 private:
  PluginFolder folder_;
  std::optional<runtime::Plugins> plugins_;
  std::string order_;
  std::optional<runtime::Core> core_;
};

const std::vector<std::pair<std::string, int>> kPods = {{"a", 1}, {"b", 3}, {"c", 2},
                                                        {"d", 3}, {"e", 1}, {"f", 2}};

TEST(WideKeys, OrderPodsBehindSixteenBytes) {
  for (const bool isolated : {false, true})
    EXPECT_EQ(WideQueue(isolated, {"default-scheduler"}).order(kPods), "bdcfae") << isolated;
}

// Without keys nothing is scheduled, so a process that ended gets a second chance.
TEST(WideKeys, AProcessThatEndsIsAskedOnceMore) {
  WideQueue queue(true, {"default-scheduler"});
  EXPECT_EQ(queue.order(kPods), "bdcfae");
  EXPECT_EQ(queue.order({{"x", 1}, {"y", 99}}), "bdcfaeyx");
  try {
    queue.order({{"z", 98}});
    ADD_FAILURE() << "went on";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("cannot sort the queue, and nothing can be "
                                                 "scheduled without: the plugin's process"));
  }
}

TEST(WideKeys, AllProfilesHaveOneLength) {
  try {
    const WideQueue queue(false, {"default-scheduler", "long"});
    ADD_FAILURE() << "started";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("QueueSort has keys of 24 bytes in the profile "
                                   "\"default-scheduler\" and of 25 in the profile \"long\"; all "
                                   "profiles need keys of one size"));
  }
}

}  // namespace
}  // namespace berth::tests
