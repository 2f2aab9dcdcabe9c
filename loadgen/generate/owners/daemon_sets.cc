#include "loadgen/generate/owners/daemon_sets.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "loadgen/generate/names.h"

namespace berth::loadgen {

DaemonSets::DaemonSets(const GeneratedCluster& cluster, PodWriter& writer)
    : cluster_(cluster), writer_(writer) {
  for (uint32_t owner = 0; owner < cluster.owners.count(); ++owner)
    if (cluster.owners.spec(owner).kind == OwnerKind::kDaemonSet)
      sets_.push_back({owner, cluster.owners.pod_spec(owner)});
}

size_t DaemonSets::index_of(uint32_t owner) const {
  const auto set = std::ranges::lower_bound(sets_, owner, {}, &Set::owner);
  BERTH_ASSERT(set != sets_.end() && set->owner == owner);
  return static_cast<size_t>(set - sets_.begin());
}

std::string DaemonSets::pod_name(const Set& set, uint64_t node) const {
  std::string name = cluster_.owners.name(set.owner) + "-";
  append_suffix(node + cluster_.nodes.failures(node) * cluster_.nodes.count(), name);
  return name;
}

void DaemonSets::add(size_t set, uint64_t node) {
  const Set& of = sets_[set];
  if (!runs_on(*of.spec, cluster_.nodes.now(node))) return;
  std::vector<uint32_t>& ids = ids_[node];
  ids.resize(sets_.size(), UINT32_MAX);
  if (ids[set] == UINT32_MAX) {
    auto pinned = std::make_shared<model::PodSpec>(*of.spec);
    pin_to_node(NodeMaker::name(node), *pinned);
    ids[set] = writer_.define(std::move(pinned));
  }
  writer_.add(ids[set], cluster_.owners.namespace_number(of.owner), pod_name(of, node));
  writer_.controller(controller_of(cluster_.owners.identity(of.owner)));
}

void DaemonSets::remove_from(uint64_t node, LoadStep& step) const {
  const model::Node now = cluster_.nodes.now(node);
  for (const Set& set : sets_) {
    if (!runs_on(*set.spec, now)) continue;
    const OwnerIdentity who = cluster_.owners.identity(set.owner);
    step.events.push_back(model::deleted_pod(who.namespace_name, pod_name(set, node)));
  }
}

}  // namespace berth::loadgen
