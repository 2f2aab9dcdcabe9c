#pragma once

// Builds the nodes of a workload. Each node is a function of the seed and its number.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/objects/controller_objects.h"
#include "engine/model/objects/objects.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

class NodeMaker {
 public:
  // `cluster` must outlive this.
  NodeMaker(const ClusterSpec& cluster, uint64_t seed) : cluster_(cluster), seed_(seed) {}

  uint64_t count() const { return cluster_.nodes(); }
  // The index of the node's shape. Requires: number < count().
  uint32_t shape(uint64_t number) const;
  // The node as it first appears.
  model::Node make(uint64_t number) const;
  // The use of what runs beside the node's pods, as NodeMetrics; nothing: it is not told.
  std::optional<model::ControllerObject> system(uint64_t number) const;
  // The index of its zone.
  uint64_t zone(uint64_t number) const { return number % cluster_.zones.size(); }
  static std::string name(uint64_t number);

 private:
  const ClusterSpec& cluster_;
  uint64_t seed_;
};

inline constexpr char kUnschedulableTaint[] = "node.kubernetes.io/unschedulable";
// Annotations that the controllers of a run read; see docs/controllers.md.
inline constexpr char kKubeletAnnotation[] = "berth/kubelet", kStoppedKubelet[] = "stopped";
inline constexpr char kDrainAnnotation[] = "berth/drain";

// Sets spec.unschedulable and adds the matching taint, as kubectl cordon does; or reverts both.
void set_unschedulable(model::Node& node, bool unschedulable);

// Insert into, or replace in, a list that is sorted by key.
void set_label(model::StringMap& labels, const std::string& key, const std::string& value);
void set_amount(model::ResourceList& list, const std::string& resource, model::Quantity amount);

}  // namespace berth::loadgen
