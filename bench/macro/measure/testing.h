#pragma once

// Test doubles for the player: a load of a few steps and a clock under the test's control.

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/macro/measure/player.h"
#include "engine/host/loading/discovery.h"
#include "loadgen/play/load.h"
#include "loadgen/play/play.h"

namespace berth::bench {

// Advances only in wait_until() and pass().
class FakeClock final : public loadgen::WallClock {
 public:
  loadgen::Nanoseconds now() override { return now_; }
  void wait_until(loadgen::Nanoseconds time, const std::function<bool()>&) override {
    now_ = std::max(now_, time);
  }
  void pass(loadgen::Nanoseconds time) { now_ += time; }

 private:
  loadgen::Nanoseconds now_ = std::chrono::hours(1);
};

// Every function adds a step to the load, or changes the step that was added last.
class TestLoad final : public loadgen::Load {
 public:
  using Nanoseconds = loadgen::Nanoseconds;

  using Amounts = std::map<std::string, std::string>;  // of resources other than cpu and pods

  void nodes(uint32_t count, const char* cpu, const Amounts& more = {}) {
    Step step;
    for (uint32_t i = 0; i < count; ++i) {
      model::Node node;
      node.name = "node-" + std::to_string(i);
      node.allocatable = {{"cpu", *model::Quantity::parse(cpu)},
                          {"pods", model::Quantity::from_units(1'000'000)}};
      for (const auto& [resource, amount] : more)
        node.allocatable.emplace_back(resource, *model::Quantity::parse(amount));
      step.cluster.push_back(model::added(std::move(node)));
    }
    steps_.push_back(std::move(step));
  }
  void nothing() { steps_.emplace_back(); }
  // `apart` is the planned time between two pods.
  void pods(uint32_t count, const char* cpu, bool measured, Nanoseconds apart = Nanoseconds{0},
            const Amounts& more = {}) {
    Step step;
    step.measured = measured;
    step.apart = apart;
    step.spec.containers.resize(1);
    step.spec.containers[0].name = "main";
    step.spec.containers[0].image = "registry.example/app:v1";
    step.spec.containers[0].requests = {{"cpu", *model::Quantity::parse(cpu)}};
    for (const auto& [resource, amount] : more)
      step.spec.containers[0].requests.emplace_back(resource, *model::Quantity::parse(amount));
    for (uint32_t i = 0; i < count; ++i) step.names.push_back("pod-" + std::to_string(pods_++));
    steps_.push_back(std::move(step));
  }
  void managed_pods(uint32_t count, const char* cpu, bool measured,
                    const char* kind = "ReplicaSet") {
    pods(count, cpu, measured);
    steps_.back().manager = kind;
  }
  void urgent_pods(uint32_t count, const char* cpu) {
    pods(count, cpu, true);
    steps_.back().spec.priority = 1000;
  }
  // The last step waits for the pods before it.
  void awaits() { steps_.back().awaits = true; }
  // Sets the planned time of the last step.
  void at(Nanoseconds time) { steps_.back().at = time; }
  // Excludes the last step from the measurement.
  void unmeasured() { steps_.back().measured = false; }
  // Producing the last step takes this time on the clock.
  void takes(FakeClock& clock, Nanoseconds time) {
    steps_.back().clock = &clock;
    steps_.back().takes = time;
  }
  void gated_pods(uint32_t count) {
    pods(count, "1", true);
    steps_.back().spec.scheduling_gates = {"example.com/wait"};
  }
  void drain(const char* node) {
    Step step;
    step.measured = true;
    step.drained = {node};
    steps_.push_back(std::move(step));
  }
  void delete_pod(const char* name) {
    Step step;
    step.measured = true;
    step.events = {model::deleted_pod("default", name)};
    steps_.push_back(std::move(step));
  }
  void event(model::Change event) {
    Step step;
    step.events = {std::move(event)};
    steps_.push_back(std::move(step));
  }
  void again() { steps_.push_back(steps_.back()); }

  bool next(loadgen::LoadStep& step) override {
    step.clear();
    if (next_ == steps_.size()) return false;
    Step& from = steps_[next_];
    if (from.clock != nullptr) from.clock->pass(from.takes);
    step.at = from.at;
    step.measured = from.measured;
    step.awaits_pods = from.awaits;
    step.cluster = from.cluster;
    step.events = from.events;
    step.drained = from.drained;
    if (!from.names.empty()) fill_pods(from, step);
    ++next_;
    return true;
  }
  std::string note() const override { return "a load of a test"; }

 private:
  struct Step {
    bool measured = false;
    bool awaits = false;
    std::string manager;  // kind of the controller; empty: none
    Nanoseconds at{0}, apart{0};
    FakeClock* clock = nullptr;
    Nanoseconds takes{0};
    std::vector<model::Change> cluster;
    std::vector<model::Change> events;
    std::vector<std::string> drained;
    model::PodSpec spec;
    std::vector<std::string> names;
  };

  void fill_pods(const Step& from, loadgen::LoadStep& step) {
    const auto id = static_cast<uint32_t>(next_);
    step.templates.push_back({id, std::make_shared<model::PodSpec>(from.spec)});
    step.pods.namespaces = {"default"};
    const bool managed = !from.manager.empty();
    if (managed) step.pods.controllers = {{"apps/v1", from.manager, "set", "uid"}};
    for (size_t i = 0; i < from.names.size(); ++i) {
      step.pods.template_ids.push_back(id);
      step.pods.namespace_indices.push_back(0);
      step.pods.names.push_back(from.names[i]);
      if (managed) step.pods.controller_indices.push_back(1);
      step.planned.push_back(from.at + from.apart * static_cast<int64_t>(i));
    }
  }

  std::vector<Step> steps_;
  size_t next_ = 0;
  uint32_t pods_ = 0;
};

inline runtime::Plugins plugins() {
  const std::array<std::filesystem::path, 1> folders{BERTH_BUILD_DIR "/lib/berth/plugins"};
  return runtime::Plugins(host::discover(folders));
}

inline Measurement play(TestLoad load, const PlayOptions& options = {}) {
  runtime::Plugins found = plugins();
  Player player(options, configuration_of(options.variant, {}), found);
  return player.play(load);
}

}  // namespace berth::bench
