#include "loadgen/generate/changes/node_changes.h"

#include <optional>

namespace berth::loadgen {

void NodeChanges::plan_end(const Planned& change, const ChurnSpec& churn, What end, uint64_t node) {
  const int64_t lasting = churn.lasting->draw(bits(For::kChurnLasting, change));
  planned_.add({.at = change.at + lasting, .what = end, .of = change.of, .number = node});
}

void NodeChanges::fail(const Planned& change, LoadStep& step) {
  const ChurnSpec& churn = cluster_.spec.failures[change.of];
  const std::optional<uint64_t> node =
      cluster_.nodes.choose(churn.shapes, bits(For::kChurnNode, change));
  if (!node) return;
  const std::string name = NodeMaker::name(*node);
  daemon_sets_.remove_from(*node, step);
  step.events.push_back(model::deleted_node(name));
  if (cluster_.spec.storage) step.events.push_back(model::deleted(cluster_.claims.csi_node(name)));
  cluster_.nodes.fail(*node);
  plan_end(change, churn, What::kRepair, *node);
}

void NodeChanges::repair(uint64_t node, LoadStep& step) {
  cluster_.nodes.repair(node);
  step.events.push_back(model::added(cluster_.nodes.now(node)));
  if (cluster_.spec.storage)
    step.events.push_back(model::added(cluster_.claims.csi_node(NodeMaker::name(node))));
  if (auto system = cluster_.nodes.system(node))
    step.events.push_back(model::added(*std::move(system)));
  tasks_.add_daemons_of_node(node, true);
}

void NodeChanges::drain(const Planned& change, LoadStep& step) {
  const ChurnSpec& churn = cluster_.spec.drains[change.of];
  const std::optional<uint64_t> node =
      cluster_.nodes.choose(churn.shapes, bits(For::kChurnNode, change));
  if (!node) return;
  cluster_.nodes.set_drained(*node, true);
  step.events.push_back(model::modified(cluster_.nodes.now(*node)));
  step.drained.push_back(NodeMaker::name(*node));
  plan_end(change, churn, What::kUndrain, *node);
}

void NodeChanges::undrain(uint64_t node, LoadStep& step) {
  cluster_.nodes.set_drained(node, false);
  step.events.push_back(model::modified(cluster_.nodes.now(node)));
}

void NodeChanges::label(const Planned& change, LoadStep& step) {
  const ChurnSpec& churn = cluster_.spec.node_labels[change.of];
  const std::optional<uint64_t> node =
      cluster_.nodes.choose(churn.shapes, bits(For::kChurnNode, change));
  if (!node) return;
  const uint64_t value = below(bits(For::kChurnValue, change), churn.values.size());
  cluster_.nodes.set_label(*node, churn.key, churn.values[value]);
  step.events.push_back(model::modified(cluster_.nodes.now(*node)));
}

}  // namespace berth::loadgen
