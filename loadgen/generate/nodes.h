#pragma once

// The nodes of a workload, each a function of the seed and its number.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/objects/objects.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

class NodeMaker {
 public:
  // The cluster's description is kept by the caller.
  NodeMaker(const ClusterSpec& cluster, uint64_t seed) : cluster_(cluster), seed_(seed) {}

  uint64_t count() const { return cluster_.nodes(); }
  uint32_t shape(uint64_t number) const;
  model::Node make(uint64_t number) const;
  static std::string name(uint64_t number);

 private:
  const ClusterSpec& cluster_;
  uint64_t seed_;
};

inline constexpr char kUnschedulableTaint[] = "node.kubernetes.io/unschedulable";

// As a cordon leaves it, or as it was before.
void set_unschedulable(model::Node& node, bool unschedulable);

// Put it in its place, or in place of what is there.
void set_label(model::StringMap& labels, const std::string& key, const std::string& value);
void set_amount(model::ResourceList& list, const std::string& resource, model::Quantity amount);

}  // namespace berth::loadgen
