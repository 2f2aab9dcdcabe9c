#include "tests/simulation/outages/machines.h"

#include <algorithm>

namespace berth::simulation {
namespace {

constexpr char kMachinesSource[] = "outages";
constexpr char kBrokenTaint[] = "broken";

}  // namespace

Machines::Machines(const std::vector<model::Node>& nodes, bool keeps) : keeps_(keeps) {
  for (const model::Node& node : nodes) machines_[node.name].node = node;
}

std::vector<std::string> Machines::names() const {
  std::vector<std::string> names;
  for (const auto& [name, machine] : machines_) names.push_back(name);
  return names;
}

std::vector<model::Taint> Machines::given_taints(const std::string& name) const {
  const model::NodeTable& nodes = core_->cluster().nodes();
  const model::Slot slot = nodes.find(core_->cluster().strings().find(name));
  if (slot == model::kNoSlot || !nodes.node(slot).present) return {};
  std::vector<model::Taint> taints =
      core_->cluster().taint_sets().taints(nodes.node(slot).taint_set);
  std::erase_if(taints, [](const model::Taint& taint) { return taint.key == kBrokenTaint; });
  return taints;
}

model::Node Machines::object_of(const Machine& machine) const {
  model::Node node = machine.node;
  if (machine.drained) node.annotations.emplace_back("berth/drain", machine.drain);
  if (machine.stopped) node.annotations.emplace_back("berth/kubelet", "stopped");
  if (!machine.ready) node.conditions = {{"Ready", "False"}};
  node.unschedulable = machine.cordoned;
  if (keeps_) node.taints = given_taints(node.name);
  if (machine.tainted) node.taints.push_back({kBrokenTaint, "", "NoExecute"});
  return node;
}

void Machines::tell(const std::string& name) {
  const Machine& machine = of(name);
  if (machine.present) api_->apply(model::modified(object_of(machine)), kMachinesSource);
}

void Machines::remove(const std::string& name) {
  Machine& machine = of(name);
  if (!machine.present) return;
  machine.present = false;
  api_->apply(model::deleted(object_of(machine)), kMachinesSource);
}

void Machines::add(const std::string& name) {
  Machine& machine = of(name);
  if (machine.present) return;
  machine.present = true;
  api_->apply(model::added(object_of(machine)), kMachinesSource);
}

void Machines::heal() {
  for (auto& [name, machine] : machines_) {
    add(name);
    machine = {.node = machine.node, .drain = {}};
    tell(name);
  }
}

}  // namespace berth::simulation
