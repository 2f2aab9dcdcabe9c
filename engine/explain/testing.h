#pragma once

// A small cluster with all plugins that ship, and what tests ask of explanations.

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/explain/explanation.h"
#include "engine/runtime/testing/model_access.h"

namespace berth::explain {

using Texts = std::vector<std::string>;

inline model::Quantity amount(const char* text) { return *model::Quantity::parse(text); }

// A node with room for what the pods of these tests ask for, unless a test takes it away.
inline model::Node node(const char* name, const char* cpu = "4", const char* memory = "8Gi",
                        const char* pods = "110") {
  model::Node node;
  node.name = name;
  node.allocatable = {{"cpu", amount(cpu)}, {"memory", amount(memory)}, {"pods", amount(pods)}};
  return node;
}

inline model::Pod pod(const char* name, const char* cpu = "100m", const char* memory = "1Mi") {
  model::Pod pod;
  pod.name = pod.uid = name;
  pod.namespace_name = "default";
  model::Container container;
  container.name = "c";
  container.image = "i";
  container.requests = {{"cpu", amount(cpu)}, {"memory", amount(memory)}};
  pod.spec.containers.push_back(std::move(container));
  return pod;
}

inline model::Pod with_port(model::Pod pod, int32_t port, const char* address = "") {
  pod.spec.containers[0].ports.push_back({address, "TCP", port});
  return pod;
}

inline model::Pod on_node(model::Pod pod, const char* node) {
  pod.spec.node_name = node;
  return pod;
}

inline model::Pod labelled(const char* name, const char* app) {
  model::Pod made = pod(name);
  made.spec.labels = {{"app", app}};
  return made;
}

inline model::PodAffinityTerm term(const char* app, const char* key) {
  model::PodAffinityTerm made;
  made.label_selector.emplace();
  made.label_selector->match_labels = {{"app", app}};
  made.topology_key = key;
  return made;
}

// At most `skew` more pods of the app in a zone than in another.
inline model::TopologySpreadConstraint by_zone(const char* app, int32_t skew) {
  model::TopologySpreadConstraint made;
  made.max_skew = skew;
  made.topology_key = "zone";
  made.when_unsatisfiable = "DoNotSchedule";
  made.label_selector.emplace();
  made.label_selector->match_labels = {{"app", app}};
  return made;
}

class ExplanationTest : public ::testing::Test {
 protected:
  ExplanationTest() : plugins_(host::discover(folders())) {
    start(config::defaults(config::Version::kV1, Rules(KubeVersion::k1_34)));
  }

  // The plugins that ship, and a filter over a label.
  static std::vector<std::filesystem::path> folders() {
    std::filesystem::path build = BERTH_BUILD_DIR;
    std::filesystem::path own = build / "test" / "explanation_plugins";
    std::filesystem::create_directories(own);
    std::filesystem::copy_file(build / "test/plugins/rack_filter.so", own / "rack_filter.so",
                               std::filesystem::copy_options::update_existing);
    return {build / "lib/berth/plugins", own};
  }

  void start(config::Configuration configuration) {
    runtime::CoreOptions options;
    options.scheduler.decide.every_node = true;
    options.scheduler.decide.tie_break = framework::TieBreak::kName;
    options.scheduler.assume = false;
    core_ = std::make_unique<runtime::Core>(std::move(configuration), plugins_, options);
  }
  model::Cluster& cluster() { return runtime::ModelAccess::of(*core_); }
  void add(const model::Node& node) { cluster().put_node(node); }
  void add(const model::Pod& pod) {
    ingest::Objects objects;
    objects.pods = {pod};
    core_->door().apply(objects, "cluster");
  }
  void add_in_zone(const char* name, const char* zone, const char* cpu = "4") {
    model::Node made = node(name, cpu);
    made.labels = {{"kubernetes.io/hostname", name}, {"zone", zone}};
    add(made);
  }
  Explanation explain(const model::Pod& pod) { return explain::explain(*core_, pod); }

  // The words of the change that lets the only node take the pod; {"nothing"} if there is none.
  Texts change(const model::Pod& pod) {
    Explanation explanation = explain(pod);
    EXPECT_EQ(explanation.outcome, runtime::PodOutcome::kUnschedulable);
    EXPECT_EQ(explanation.nodes.size(), 1u);
    if (!explanation.nodes[0].change) return {"nothing"};
    Texts words;
    for (const Explanation::Change& change : *explanation.nodes[0].change)
      words.push_back(change.words);
    return words;
  }

  // The change of the node of that name.
  static Texts change_of(const Explanation& explanation, const std::string& name) {
    for (const Explanation::Node& node : explanation.nodes) {
      if (node.name != name) continue;
      if (!node.change) return {"nothing"};
      Texts words;
      for (const Explanation::Change& change : *node.change) words.push_back(change.words);
      return words;
    }
    return {"no such node"};
  }

  runtime::Plugins plugins_;
  std::unique_ptr<runtime::Core> core_;
};

inline const Explanation::Filter& filter(const Explanation::Node& node, std::string_view plugin) {
  for (const Explanation::Filter& filter : node.filters)
    if (filter.plugin == plugin) return filter;
  throw std::runtime_error("no such filter");
}

inline Texts reported(const Explanation::Node& node) {
  Texts plugins;
  for (const Explanation::Filter& filter : node.filters)
    if (filter.reported) plugins.push_back(filter.plugin);
  return plugins;
}

}  // namespace berth::explain
