#pragma once

// Topology keys: for each label key that a query or term uses, the domain of each row and the rows
// of each domain. PodCounts and CarriedTerms share one table of them, so that a change of the nodes
// costs one sort per key, however many queries and terms use that key.
//
// The table belongs to the Cluster. Only the thread that owns the model calls it, except for at(),
// which any thread may call while the model is not modified.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/model/cluster/node_table.h"
#include "engine/model/columns/catalog.h"
#include "engine/model/columns/domains.h"

namespace berth::model {

class TopologyKey {
 public:
  // `domains` is the column node.domain:KEY.
  TopologyKey(StringId key, const Column& domains, const Domains& codes)
      : key_(key), domains_(domains), codes_(codes) {}

  StringId key() const { return key_; }
  // U32 codes by row; 0: the node lacks the label.
  const Column& domains() const { return domains_; }
  DomainCode at(Row row) const { return domains_.values<uint32_t>()[row]; }  // row < nodes.rows()
  // One more than the highest code that a node ever had.
  DomainCode codes() const { return codes_.size(key_); }

  // The rows of a domain, ascending; none for a code that no row has. Valid until the nodes change.
  // Sorts all rows if the column changed since the last call.
  std::span<const Row> rows(DomainCode code);
  uint64_t sorts() const { return sorts_; }  // number of sorts so far, for tests of the cost

 private:
  void sort();

  StringId key_;
  const Column& domains_;
  const Domains& codes_;
  uint64_t generation_ = 0;  // of the column when rows were sorted
  uint64_t sorts_ = 0;
  std::vector<uint32_t> begins_;  // by code: its first place in rows_
  std::vector<Row> rows_;
};

class TopologyKeys {
 public:
  TopologyKeys(NodeTable& nodes, Catalog& catalog, const Strings& strings, const Domains& domains)
      : nodes_(nodes), catalog_(catalog), strings_(strings), domains_(domains) {}

  // The key, new or known; a new one creates the column node.domain:KEY. The reference is valid
  // until clear().
  TopologyKey& of(StringId key);
  // Forgets all keys. Precondition: nothing refers to one.
  void clear() { keys_.clear(); }

 private:
  NodeTable& nodes_;
  Catalog& catalog_;
  const Strings& strings_;
  const Domains& domains_;
  boost::unordered_flat_map<StringId, std::unique_ptr<TopologyKey>> keys_;
};

}  // namespace berth::model
