#pragma once

// A session with the plugins of the build and of these tests, and short ways to make nodes and
// pods.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/cli/session.h"
#include "tests/cycle/folder.h"

namespace berth::tests {

// Records bindings in order, as "name@node".
class Bindings final : public cycle::BindingSink {
 public:
  void bind(std::string_view, std::string_view name, std::string_view node) override {
    all.push_back(std::string(name) + "@" + std::string(node));
  }
  void batch_ended(std::span<const uint64_t> bound) override {
    batches.emplace_back(bound.begin(), bound.end());
  }
  std::vector<std::string> all;
  std::vector<std::vector<uint64_t>> batches;  // handles of the pods in each batch
};

inline cycle::Plugins& plugins_and_picky() {
  static PluginFolder folder;
  static cycle::Plugins plugins = [] {
    folder.add_shipped_but("");
    folder.add_of_tests("cycle_picky", "picky.so");
    folder.add_of_tests("domain_limit_filter", "domain_limit.so");
    return folder.discover();
  }();
  return plugins;
}

class SessionTest : public testing::Test {
 protected:
  // Starts a session. `profiles` is the list of profiles of a configuration, as JSON.
  void start(const std::string& profiles = R"([{"schedulerName":"default-scheduler"}])",
             const host::WatchdogOptions& deadlines = {}) {
    config::Configuration configuration = config::parse(
        R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
        R"("profiles":)" +
            profiles + "}",
        "config");
    cycle::SchedulerOptions options;
    options.decide.tie_break = framework::TieBreak::kName;
    session = std::make_unique<cli::Session>(std::move(configuration), plugins_and_picky(), options,
                                             &bindings, deadlines);
  }

  model::Cluster& cluster() { return session->cluster(); }

  static model::Node node(const std::string& name, int64_t pods = 110) {
    model::Node node;
    node.name = name;
    node.allocatable = {{"cpu", model::Quantity::from_units(8)},
                        {"memory", model::Quantity::from_units(int64_t{1} << 34)},
                        {"pods", model::Quantity::from_units(pods)}};
    return node;
  }
  static model::Pod pod(const std::string& name) {
    model::Pod pod;
    pod.namespace_name = "default";
    pod.name = name;
    pod.uid = "uid-" + name;
    pod.spec.containers.resize(1);
    return pod;
  }

  // Queues the pods together, tries each of them once, and binds.
  void schedule(const std::vector<model::Pod>& pods) {
    std::vector<model::PodRecord> refs;
    for (const model::Pod& p : pods) refs.push_back(cluster().refer(p));
    cluster().order_rows();
    auto on_result = [&](const cycle::PodResult& result) { record(result); };
    session->scheduler().enqueue(refs, on_result);
    while (session->scheduler().schedule_next(on_result)) {
    }
    session->scheduler().flush(on_result);
  }

  void record(const cycle::PodResult& result) {
    static constexpr const char* kNames[] = {"scheduled", "unschedulable", "error", "gated",
                                             "ignored"};
    std::string line = std::string(cluster().text(result.pod->name)) + " " +
                       kNames[static_cast<size_t>(result.outcome)];
    if (!result.node.empty()) line += " " + std::string(result.node);
    if (!result.gated_by.empty()) line += " by " + result.gated_by;
    results.push_back(line);
    messages.push_back(result.message);
  }

  bool is_placed(const std::string& name) {
    return cluster().is_placed(cluster().strings().find("default"), cluster().strings().find(name));
  }

  Bindings bindings;
  std::unique_ptr<cli::Session> session;
  std::vector<std::string> results, messages;
};

}  // namespace berth::tests
