#pragma once

// A core over the plugins of the build and those of these tests, and shorthand for nodes and pods.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/rules/rules.h"
#include "engine/played/api_server.h"
#include "engine/runtime/testing/model_access.h"
#include "tests/runtime/folder.h"

namespace berth::tests {

// Takes bindings, in order, as "name@node", and answers as ordered.
class Bindings final : public binding::BindingSink {
 public:
  binding::BindAnswer bind(const binding::Binding& one) override {
    using Kind = binding::BindAnswer::Kind;
    const std::string name(one.name);
    if (all.size() == room) throw Error("no room for " + name);
    numbers[name] = one.number;
    const auto ordered = answers.extract(name);
    if (ordered &&
        (ordered.mapped().kind == Kind::kFailed || ordered.mapped().kind == Kind::kUnderWay))
      return ordered.mapped();
    all.push_back(name + "@" + std::string(one.node));
    return ordered ? ordered.mapped() : binding::BindAnswer{};
  }
  void flush() override { visible = all.size(); }
  std::vector<std::string> all;                        // that took place
  std::map<std::string, binding::BindAnswer> answers;  // to the next binding of the pod
  std::map<std::string, uint64_t> numbers;             // of the latest binding of a pod
  size_t visible = 0;                                  // bindings that were flushed
  size_t room = SIZE_MAX;                              // bindings that can be taken
};

// The plugins that ship, and those of these tests.
inline const PluginFolder& plugins_folder() {
  static const PluginFolder* const made = [] {
    static PluginFolder folder;
    folder.add_shipped_but("");
    folder.add_of_tests("cycle_ledger", "ledger.so");
    folder.add_of_tests("cycle_neighbour", "neighbour.so");
    folder.add_of_tests("cycle_patient", "patient.so");
    folder.add_of_tests("cycle_picky", "picky.so");
    folder.add_of_tests("cycle_scribe", "scribe.so");
    folder.add_of_tests("cycle_witness", "witness.so");
    folder.add_scripted();
    folder.add_of_tests("domain_limit_filter", "domain_limit.so");
    return &folder;
  }();
  return *made;
}

inline runtime::Plugins& plugins_and_picky() {
  static runtime::Plugins plugins = plugins_folder().discover();
  return plugins;
}

class CoreTest : public testing::Test {
 protected:
  // `profiles` is the list of profiles of a configuration, as JSON.
  void start(const std::string& profiles = R"([{"schedulerName":"default-scheduler"}])",
             const host::WatchdogOptions& deadlines = {}) {
    config::Configuration configuration = config::parse(
        R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
        R"("profiles":)" +
            profiles + "}",
        "config", rules);
    configuration.rules = rules;  // one by one, whichever versions have them
    runtime::CoreOptions options;
    options.scheduler.decide.tie_break = tie_break;
    options.retire_always = retire_always;
    options.deadlines = deadlines;
    options.audits = audits;
    core.reset();  // before its server
    options.server = &server.emplace(played::ApiServerOptions{&bindings, volumes, controllers});
    options.observer = observer;
    options.binding_thread = binding_thread;
    core = std::make_unique<runtime::Core>(
        std::move(configuration), found != nullptr ? *found : plugins_and_picky(), options,
        [this](const runtime::Report& report) { record(report); });
    server->attach(*core);
  }

  model::Cluster& cluster() { return runtime::ModelAccess::of(*core); }

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

  // Pods arrive together.
  void arrive(const std::vector<model::Pod>& pods) {
    std::vector<model::PodId> ids;
    for (const model::Pod& p : pods) ids.push_back(core->door().add(p));
    core->door().arrive(ids);
  }
  // The same, and all are tried once and bound: time does not pass, so pods that back off stay.
  void schedule(const std::vector<model::Pod>& pods) {
    arrive(pods);
    while (core->has_active()) core->step();
    core->settle();
  }
  void apply(const model::Change& change) { server->apply(change, "test"); }
  static model::TemplatePod of_template(const model::Pod& pod) {
    model::TemplatePod made;
    made.spec = std::make_shared<model::PodSpec>(pod.spec);
    made.namespace_name = pod.namespace_name;
    made.name = pod.name;
    made.uid = pod.uid;
    made.node_name = pod.spec.node_name;
    made.nominated_node_name = pod.nominated_node_name;
    made.terminating = pod.terminating;
    return made;
  }

  void record(const runtime::Report& report) {
    using namespace runtime;
    const auto add = [&](const std::string& words, std::string_view message = {}) {
      const model::PodRecord& pod = cluster().pod(pod_of(report));
      results.push_back(std::string(cluster().text(pod.name)) + " " + words);
      messages.emplace_back(message);
    };
    std::visit(Match{
                   [&](const Scheduled& to) { add("scheduled " + std::string(to.node)); },
                   [&](const Refused& by) { add("unschedulable", by.decision->message); },
                   [&](const Failed& by) { add("error", by.decision->message); },
                   [&](const BindingFailed& by) { add("error", by.message); },
                   [&](const Gated& by) { add("gated by " + by.plugin, by.message); },
                   [&](const Ignored& by) { add("ignored", by.message); },
                   [&](const Bound& to) { bound.push_back(to.pod); },
                   [](const auto&) {},
               },
               report);
  }

  // From now on reports are kept as text, one line each, for take().
  void keep_lines() {
    core->report_to([this](const runtime::Report& report) { note(report); });
  }
  std::vector<std::string> take() { return std::exchange(lines_, {}); }
  void note(const runtime::Report& report) {
    using namespace runtime;
    const auto add = [&](model::PodId pod, const std::string& words) {
      lines_.push_back(std::string(cluster().text(cluster().pod(pod).name)) + " " + words);
    };
    std::visit(
        Match{
            [&](const Scheduled& to) { add(to.pod, "on " + std::string(to.node)); },
            [&](const PermitWaiting& at) { add(at.pod, "waits"); },
            [&](const Refused& by) { add(by.pod, by.decision->message); },
            [&](const Failed& by) { add(by.pod, by.decision->message); },
            [&](const Evicted& one) { add(one.pod, "evicted"); },
            [&](const Disrupted& by) { add(by.pod, "disrupted: " + std::string(by.reason)); },
            [&](const Finished& with) {
              add(with.pod, "ended with " + std::to_string(with.exit_code));
            },
            [&](const PermitPreempted& one) { add(one.pod, "preempted in Permit"); },
            [&](const Nominated& to) { add(to.pod, "nominated " + std::string(to.node)); },
            [&](const Announced& at) { add(at.pod, "announced on " + std::string(at.node)); },
            [&](const Bound& to) { add(to.pod, "bound to " + std::string(to.node)); },
            [&](const BoundByAnother& to) {
              add(to.pod, "bound by another to " + std::string(to.node));
            },
            [&](const BindingWaits& by) { add(by.pod, "waits for " + std::string(by.plugin)); },
            [&](const BindingFailed& by) {
              add(by.pod, (by.refused ? "refused: " : "failed: ") + std::string(by.message));
            },
            [](const auto&) {},
        },
        report);
  }

  queue::Place place(const std::string& name) {
    return core->scheduler().queue().place(find(name));
  }
  model::PodId find(const std::string& name) { return cluster().find_pod("default", name); }
  bool is_placed(const std::string& name) {
    const model::PodId pod = find(name);
    return pod && cluster().pod(pod).placed();
  }

  Bindings bindings;
  // Of the next start.
  runtime::Plugins* found = nullptr;  // null: plugins_and_picky()
  Rules rules{KubeVersion::k1_34};    // tests of later rules set them
  binding::PlacementObserver* observer = nullptr;
  runtime::AuditPace audits = runtime::AuditPace::kEveryStep;
  bool binding_thread = true;
  std::optional<played::VolumeControllerOptions> volumes{std::in_place};
  played::ControllerList controllers = played::ControllerList::none();
  framework::TieBreak tie_break = framework::TieBreak::kName;
  bool retire_always = false;
  std::optional<played::ApiServer> server;  // outlives the core
  std::unique_ptr<runtime::Core> core;
  std::vector<std::string> results, messages;
  std::vector<model::PodId> bound;  // in the order of reports

 private:
  std::vector<std::string> lines_;  // see keep_lines()
};

}  // namespace berth::tests
