#pragma once

// Random clusters, pods and configurations, including the strangest that the API allows. Every
// field that a plugin reads takes values that match, that do not match, and that are invalid.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/objects/objects.h"
#include "tests/properties/dice.h"

namespace berth::tests {

// An event of a world, in order.
struct Step {
  enum class Kind : uint8_t {
    kPod,
    kPutNode,
    kRemoveNode,
    kRemovePod,
    kPutNamespace,
    kRemoveNamespace,
    kPutSelectorOwner,
    kRemoveSelectorOwner
  };
  Kind kind = Kind::kPod;
  model::Pod pod;    // kPod: it arrives and is scheduled; kRemovePod: its name, which may not exist
  model::Node node;  // kPutNode; kRemoveNode: its name, which may not exist
  model::Namespace name_space;          // for the namespace kinds, likewise
  model::SelectorOwner selector_owner;  // for the selector owner kinds, likewise
};

// The arguments of the plugins about other pods, as in `config`.
struct SpreadArguments {
  bool system_defaults = true;
  std::vector<model::TopologySpreadConstraint> default_constraints;
};

struct AffinityArguments {
  int32_t hard_pod_affinity_weight = 1;
  bool ignore_preferred_terms_of_existing_pods = false;
};

struct PluginArguments {
  SpreadArguments spread;
  AffinityArguments affinity;
};

struct World {
  std::string config;         // a KubeSchedulerConfiguration, as JSON
  PluginArguments arguments;  // as in `config`
  std::vector<model::Node> nodes;
  std::vector<model::Namespace> namespaces;
  std::vector<model::SelectorOwner> selector_owners;
  std::vector<model::Pod> placed;
  std::vector<Step> steps;
};

struct WorldShape {
  uint32_t nodes = 20;
  uint32_t placed = 20;
  uint32_t pods = 20;
  int events = 20;          // percentage of steps that are not pods
  bool plain_pods = false;  // pods mostly fit, so that searches end early and scores matter
  uint32_t kinds = 0;       // of pods, which come again; 0: each pod is of its own
};

model::Node random_node(Dice& dice, uint32_t number);
// `nodes` is the approximate number of nodes, for the node names that a pod mentions.
model::Pod random_pod(Dice& dice, const std::string& name, uint32_t nodes, bool plain = false);
std::string random_config(Dice& dice, PluginArguments& arguments);
// A random event other than an arriving pod. `placed` and `pods` are the numbers of names used so
// far by pods of either kind; `nodes` is incremented when a node is added.
Step random_event(Dice& dice, uint32_t placed, uint32_t pods, uint32_t& nodes);
World random_world(uint64_t seed, const WorldShape& shape);

}  // namespace berth::tests
