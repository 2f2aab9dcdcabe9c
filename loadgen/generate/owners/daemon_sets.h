#pragma once

// The pods of DaemonSets: each set has one on every node that it runs on. A pod is pinned to its
// node, so each has a template of its own.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "loadgen/generate/cluster/generated_cluster.h"
#include "loadgen/generate/pods/pod_writer.h"
#include "loadgen/play/load.h"

namespace berth::loadgen {

// One thread.
class DaemonSets {
 public:
  // Both must outlive this.
  DaemonSets(const GeneratedCluster& cluster, PodWriter& writer);

  size_t count() const { return sets_.size(); }
  // The index of a set among all, in the order of owners. Requires: the owner is a DaemonSet.
  size_t index_of(uint32_t owner) const;
  // Adds the set's pod on the node to the step of the writer, if the set runs there.
  void add(size_t set, uint64_t node);
  // Deletes the pods on a node, in the order of the sets. Call before the node fails: the names of
  // its pods change with each failure.
  void remove_from(uint64_t node, LoadStep& step) const;

 private:
  struct Set {
    uint32_t owner = 0;
    std::shared_ptr<const model::PodSpec> spec;  // not pinned
  };

  std::string pod_name(const Set& set, uint64_t node) const;

  const GeneratedCluster& cluster_;
  PodWriter& writer_;
  std::vector<Set> sets_;  // ascending by owner
  // By node: the ids of templates, parallel to sets_; UINT32_MAX until defined.
  boost::unordered_flat_map<uint64_t, std::vector<uint32_t>> ids_;
};

}  // namespace berth::loadgen
