#pragma once

// Adds the pods of a load to the step that is being filled. They arrive at the latest time of the
// load's clock.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "loadgen/generate/cluster/generated_cluster.h"
#include "loadgen/generate/tick_clock.h"
#include "loadgen/play/load.h"
#include "loadgen/play/step_pods.h"

namespace berth::loadgen {

// One thread.
class PodWriter {
 public:
  // Both must outlive this.
  PodWriter(GeneratedCluster& cluster, const TickClock& clock) : cluster_(cluster), clock_(clock) {}

  // Starts a step, which must have no pods. All other functions require it. Until the next call the
  // step stays where it is, and only this object adds pods to it.
  void begin(LoadStep& step);
  // The pods of the step. No more are added when it is full, except by a closed loop.
  size_t size() const { return pods_.size(); }
  bool full() const { return pods_.size() >= kPodsPerStep; }

  // The id of a template's variant, which is defined in the step if it is new.
  uint32_t template_id(uint32_t pod_template, uint32_t variant, bool claims) {
    return cluster_.templates.id(pod_template, variant, claims, *step_);
  }
  // Defines a template that is used by one owner only, and returns its id.
  uint32_t define(std::shared_ptr<const model::PodSpec> spec) {
    return cluster_.templates.define(std::move(spec), *step_);
  }

  void add(uint32_t template_id, uint32_t namespace_number, const std::string& name);
  // For the pod added last, as StepPods describes it.
  void label(std::string_view key, std::string_view value) { pods_.label(key, value); }
  void controller(const model::Controller& controller) { pods_.controller(controller); }
  // Adds the claims of the pod added last, which was added with these arguments. `exist`: they
  // stayed from an earlier pod of that name. Requires: pods of the template have claims.
  void claims(uint32_t pod_template, uint32_t namespace_number, const std::string& name,
              bool exist = false);

 private:
  GeneratedCluster& cluster_;
  const TickClock& clock_;
  StepPods pods_;
  LoadStep* step_ = nullptr;
};

}  // namespace berth::loadgen
