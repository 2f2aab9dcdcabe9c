#pragma once

// A core with kubelets, and shorthand for what is measured of their nodes and pods.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/events/event.h"
#include "engine/model/objects/controller_objects.h"
#include "tests/runtime/controllers/testing.h"

namespace berth::tests {

inline constexpr int64_t kMebi = int64_t{1} << 20;
inline constexpr int64_t kGibi = int64_t{1} << 30;

// A node "n" of 10Gi, of which pods may use 9Gi.
class KubeletsTest : public PlayedTest {
 protected:
  void SetUp() override {
    start();
    core->report_to([this](const runtime::Report& report) {
      note(report);
      if (const auto* by = std::get_if<runtime::Disrupted>(&report))
        messages.emplace_back(by->message);
      if (const auto* by = std::get_if<runtime::Recorded>(&report)) {
        events.push_back(by->event->reason + " " + by->event->regarding.name);
        notes.push_back(by->event->note);
      }
    });
    apply(model::added(sized("n")));
  }

  static model::Node sized(const std::string& name) {
    model::Node it = node(name);
    it.allocatable[1] = {"memory", model::Quantity::from_units(9 * kGibi)};
    it.capacity = it.allocatable;
    it.capacity[1] = {"memory", model::Quantity::from_units(10 * kGibi)};
    return it;
  }
  static model::Change boxed(std::string kind, const std::string& name,
                             const model::ControllerObjectData& data) {
    model::ControllerObject it;
    it.kind = std::move(kind);
    it.name = name;
    if (it.kind == "PodMetrics") it.namespace_name = "default";
    it.data = std::make_shared<const model::ControllerObjectData>(data);
    return model::added(std::move(it));
  }
  void configure(const model::KubeletConfiguration& how, const std::string& name = "") {
    apply(boxed("KubeletConfiguration", name, {how}));
  }
  // Hard thresholds of memory.
  static model::KubeletConfiguration below(const std::string& least) {
    model::KubeletConfiguration it;
    it.eviction_hard = {{"memory.available", least}};
    return it;
  }
  void use(const std::string& pod, int64_t bytes) {
    apply(boxed("PodMetrics", pod, {model::PodMetrics{{{"c", {.memory = bytes}}}}}));
  }
  void use_node(int64_t bytes, const std::string& name = "n") {
    apply(boxed("NodeMetrics", name, {model::NodeMetrics{{.memory = bytes}}}));
  }
  void add(const std::string& name, int32_t priority = 0, int64_t request = 0) {
    model::Pod it = requesting(name, request);
    it.spec.node_name = "n";
    it.spec.priority = priority;
    apply(model::added(of_template(it)));
  }
  static model::Pod requesting(const std::string& name, int64_t request) {
    model::Pod it = pod(name);
    it.spec.containers[0].name = "c";
    if (request != 0)
      it.spec.containers[0].requests = {{"memory", model::Quantity::from_units(request)}};
    return it;
  }
  std::vector<std::string> take_events() { return std::exchange(events, {}); }

  std::vector<std::string> events, notes;
};

}  // namespace berth::tests
