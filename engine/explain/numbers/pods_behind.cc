#include "engine/explain/numbers/pods_behind.h"

#include <algorithm>
#include <set>

#include "engine/model/cluster/pod_name.h"

namespace berth::explain {

using model::Attribute;

host::SomePods PodsBehind::of(model::ColumnId column, model::Row row, uint64_t element) {
  const model::ColumnInfo& info = cluster_.catalog().info(column);
  if (info.attribute == Attribute::kNodePorts)
    return with_port(cluster_.nodes().slot_of(row), element);
  host::SomePods pods;
  for (const model::PodId pod : all(column, row)) add(pod, pods);
  return pods;
}

const std::vector<model::PodId>& PodsBehind::all(model::ColumnId column, model::Row row) {
  static const std::vector<model::PodId> kNone;
  const model::ColumnInfo& info = cluster_.catalog().info(column);
  if (info.attribute != Attribute::kNodeCount && info.attribute != Attribute::kNodeCarried)
    return kNone;
  Known& of_column = known(column, info);
  const Domains domains = domains_of(info, cluster_.nodes().slot_of(row));
  const auto at = of_column.pods.find(domains);
  if (at != of_column.pods.end()) return at->second;
  return of_column.pods.emplace(domains, find(info, of_column, domains)).first->second;
}

host::SomePods PodsBehind::with_port(model::Slot slot, uint64_t port) const {
  host::SomePods pods;
  for (const model::PodOnNode& pod : cluster_.nodes().pods(slot)) {
    const std::vector<uint64_t>& ports = cluster_.templates()[pod.pod_template].ports;
    if (std::find(ports.begin(), ports.end(), port) != ports.end()) add(pod.pod, pods);
  }
  return pods;
}

// One domain for each part of the value: one for a query, one for each key of a match set. 0: the
// node has none.
PodsBehind::Domains PodsBehind::domains_of(const model::ColumnInfo& info, model::Slot slot) const {
  const model::Row row = cluster_.nodes().row_of(slot);
  if (info.attribute == Attribute::kNodeCount) {
    const model::Column* codes = cluster_.counts().domain_column(info.number);
    return {codes == nullptr ? slot + 1 : codes->values<uint32_t>()[row]};
  }
  Domains domains;
  for (size_t part = 0; part < cluster_.carried().sums(info.number); ++part)
    domains.push_back(cluster_.carried().domain_column(info.number, part)->values<uint32_t>()[row]);
  return domains;
}

PodsBehind::Known& PodsBehind::known(model::ColumnId column, const model::ColumnInfo& info) {
  const auto [at, fresh] = known_.try_emplace(column);
  if (!fresh) return at->second;
  for (model::Slot slot = 0; slot < cluster_.nodes().slots(); ++slot) {
    if (!cluster_.nodes().node(slot).present) continue;
    // Nodes that take no part in a query have a domain, but their pods do not count.
    const bool counts =
        info.attribute != Attribute::kNodeCount || cluster_.counts().domain(info.number, slot) != 0;
    if (!counts) continue;
    const Domains domains = domains_of(info, slot);
    at->second.nodes.resize(domains.size());
    for (size_t part = 0; part < domains.size(); ++part)
      if (domains[part] != 0) at->second.nodes[part][domains[part]].push_back(slot);
  }
  return at->second;
}

std::vector<model::PodId> PodsBehind::find(const model::ColumnInfo& info, const Known& column,
                                           const Domains& domains) const {
  std::vector<model::PodId> pods;
  std::set<uint64_t> added;  // a pod may carry terms of several keys
  for (size_t part = 0; part < domains.size() && part < column.nodes.size(); ++part) {
    const auto nodes = column.nodes[part].find(domains[part]);
    if (nodes == column.nodes[part].end()) continue;
    for (const model::Slot slot : nodes->second)
      for (const model::PodOnNode& pod : cluster_.nodes().pods(slot))
        if (counts(info, part, pod) &&
            (domains.size() == 1 || added.insert(pod.pod.handle()).second))
          pods.push_back(pod.pod);
  }
  return pods;
}

bool PodsBehind::counts(const model::ColumnInfo& info, size_t part,
                        const model::PodOnNode& pod) const {
  if (info.attribute == Attribute::kNodeCount)
    return cluster_.counts().counts_placed(info.number, pod);
  return cluster_.carried().terms_in(info.number, part, pod.shape) != 0;
}

void PodsBehind::add(model::PodId pod, host::SomePods& pods) const {
  if (pods.count++ < kMostNames) pods.names.push_back(model::full_name(cluster_, pod));
}

}  // namespace berth::explain
