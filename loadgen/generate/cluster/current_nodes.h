#pragma once

// The nodes of a workload as they are now. Only deviations are stored: a node is made from its
// number, and those that failed, were drained or relabelled have a state.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "loadgen/generate/cluster/nodes.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// Numbers of nodes are below count(). One thread.
class CurrentNodes {
 public:
  // `cluster` must outlive this.
  CurrentNodes(const ClusterSpec& cluster, uint64_t seed) : nodes_(cluster, seed) {}

  uint64_t count() const { return nodes_.count(); }
  // The node as it first appears.
  model::Node first(uint64_t number) const { return nodes_.make(number); }
  // The node with its labels of now, cordoned if it is drained. Nodes that are down are made too.
  model::Node now(uint64_t number) const;
  // The number of failures of the node so far.
  uint32_t failures(uint64_t number) const;
  // A node of one of these shapes that is neither down nor drained; nullopt if a number of draws
  // finds none. `shapes`: indices; empty: all. Requires: count() > 0.
  std::optional<uint64_t> choose(const std::vector<uint32_t>& shapes, uint64_t bits) const;

  // Requires: the node is not down.
  void fail(uint64_t number);
  // Requires: the node is down.
  void repair(uint64_t number);
  void set_drained(uint64_t number, bool drained) { states_[number].drained = drained; }
  void set_label(uint64_t number, const std::string& key, const std::string& value);

 private:
  // The differences of a node from the one that NodeMaker makes for its number.
  struct State {
    bool down = false;
    bool drained = false;
    uint32_t failures = 0;
    model::StringMap labels;  // changes to its original labels
  };

  NodeMaker nodes_;
  boost::unordered_flat_map<uint64_t, State> states_;
};

}  // namespace berth::loadgen
