// Objects of storage: those of createAny and churn, and those that come with nodes and pods.

#include <utility>
#include <variant>

#include "loadgen/scheduler_perf/load/scheduler_perf_writer.h"

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

// The place where names of such objects are taken.
std::string place_of(const model::VolumeObject& object, const std::string& namespace_name) {
  model::VolumeObject unnamed = object;
  set_names(unnamed, {}, namespace_name);
  return std::string(model::kind_of(object)) + "/" + model::full_name(unnamed);
}

}  // namespace

std::optional<std::string> ObjectWriter::make(const PlanOp& op, StorageSample sample) {
  if (!volumes_) return std::string();
  if (!names_.take(sample.naming, place_of(sample.object, op.namespace_name))) return std::nullopt;
  std::string name = names_.next_object(sample.naming);
  set_names(sample.object, name, op.namespace_name);
  add(std::move(sample.object));
  return name;
}

void ObjectWriter::drop(const PlanOp& op, const StorageSample& sample, const std::string& name) {
  model::VolumeObject object = sample.object;
  names_.release(name, place_of(object, op.namespace_name));
  set_names(object, name, op.namespace_name);
  step_->events.push_back(model::deleted(std::move(object)));
}

void ObjectWriter::add_csi_node(model::CsiNode object, const std::string& node) {
  if (!volumes_) return;
  object.name = node;
  add(std::move(object));
}

void ObjectWriter::add_volume_of(const PlanOp& op, int64_t pod) {
  if (!op.own_volume || !names_.take_claim(op.namespace_name, pod)) return;
  OwnVolume made = op.volume_of(pod);
  add(std::move(made.claim));
  add(std::move(made.volume));
}

}  // namespace berth::loadgen::scheduler_perf
