// Objects of storage: those of createAny and churn, and those that come with nodes and pods.

#include <algorithm>
#include <utility>

#include "loadgen/scheduler_perf/load/scheduler_perf_load.h"

namespace berth::loadgen::scheduler_perf {
namespace {

// Gives the object its name, and its namespace if its kind has namespaces.
void set_names(model::VolumeObject& object, const std::string& name,
               const std::string& namespace_name) {
  std::visit(
      [&](auto& one) {
        one.name = name;
        if constexpr (requires { one.namespace_name; }) one.namespace_name = namespace_name;
      },
      object);
}

// Where names of such objects are taken.
std::string place_of(const model::VolumeObject& object, const std::string& namespace_name) {
  model::VolumeObject unnamed = object;
  set_names(unnamed, {}, namespace_name);
  return std::string(model::kind_of(object)) + "/" + model::full_name(unnamed);
}

}  // namespace

std::optional<std::string> PerfLoad::create_storage(const PlanOp& op, StorageSample sample,
                                                    LoadStep& step) {
  if (!plan_.volumes) return std::string();
  if (!take_name(sample.naming, place_of(sample.object, op.namespace_name))) return std::nullopt;
  std::string name = numbered_name(sample.naming, next_object_++);
  set_names(sample.object, name, op.namespace_name);
  add(std::move(sample.object), step);
  return name;
}

void PerfLoad::remove_storage(const PlanOp& op, StorageSample sample, const std::string& name,
                              LoadStep& step) {
  fixed_names_.erase(place_of(sample.object, op.namespace_name) + "/" + name);
  set_names(sample.object, name, op.namespace_name);
  step.events.push_back(model::deleted(std::move(sample.object)));
}

void PerfLoad::add_csi_node(model::CsiNode object, const std::string& node, LoadStep& step) {
  if (!plan_.volumes) return;
  object.name = node;
  add(std::move(object), step);
}

// A claim that an earlier operation made in the namespace stays, as upstream, which takes it that
// an object exists for one that it made.
void PerfLoad::add_claim_of(int64_t pod, LoadStep& step) {
  if (!op().own_volume) return;
  int64_t& claimed = claimed_[op().namespace_name];
  if (pod < claimed) return;
  claimed = pod + 1;
  OwnVolume made = op().volume_of(pod);
  add(std::move(made.claim), step);
  add(std::move(made.volume), step);
}

}  // namespace berth::loadgen::scheduler_perf
