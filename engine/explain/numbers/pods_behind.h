#pragma once

// The placed pods that a value of a column stands for, for explanations.
//
// A value of node.count or node.carried is that of the row's domain, which many rows share, so the
// pods are looked for once for each domain, and a look at all rows costs about that of all pods for
// each column.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/host/calls/numbers.h"
#include "engine/model/cluster/cluster.h"

namespace berth::explain {

class PodsBehind {
 public:
  static constexpr size_t kMostNames = 10;

  // The cluster outlives the object and is not modified as long as it is used.
  explicit PodsBehind(const model::Cluster& cluster) : cluster_(cluster) {}

  // The pods behind the row's value in a column; none for columns other than node.count:*,
  // node.carried:* and node.ports. `element`: of node.ports, a packed port.
  host::SomePods of(model::ColumnId column, model::Row row, uint64_t element);
  // All of them for node.count:* and node.carried:*, by nodes; none for other columns. Valid as
  // long as the object.
  const std::vector<model::PodId>& all(model::ColumnId column, model::Row row);

 private:
  using Domains = std::vector<model::DomainCode>;
  // Of one column: the nodes of each domain, and the pods of each domain that was asked about.
  // Match sets have a domain for each of their keys.
  struct Known {
    std::vector<std::map<model::DomainCode, std::vector<model::Slot>>> nodes;
    std::map<Domains, std::vector<model::PodId>> pods;
  };

  host::SomePods with_port(model::Slot slot, uint64_t port) const;
  Domains domains_of(const model::ColumnInfo& info, model::Slot slot) const;
  Known& known(model::ColumnId column, const model::ColumnInfo& info);
  std::vector<model::PodId> find(const model::ColumnInfo& info, const Known& column,
                                 const Domains& domains) const;
  bool counts(const model::ColumnInfo& info, size_t part, const model::PodOnNode& pod) const;
  void add(model::PodId pod, host::SomePods& pods) const;

  const model::Cluster& cluster_;
  std::map<model::ColumnId, Known> known_;
};

}  // namespace berth::explain
