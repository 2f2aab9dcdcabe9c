#pragma once

// Clusters, pods and configurations as odd as the API allows them to be, from a seed: every field
// that a plugin reads takes values that match, that do not, and that are wrong.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/objects/objects.h"
#include "tests/properties/dice.h"

namespace berth::tests {

// What happens, in order.
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
  model::Pod pod;    // kPod: it comes and is scheduled; kRemovePod: its name, which need not exist
  model::Node node;  // kPutNode; kRemoveNode: its name, which need not exist
  model::Namespace name_space;          // likewise
  model::SelectorOwner selector_owner;  // likewise, by kind, namespace and name
};

// The arguments of the plugins that look at other pods, as `config` says them.
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
  PluginArguments arguments;  // that it holds
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
  int events = 20;          // percent of steps that are no pods
  bool plain_pods = false;  // pods that mostly fit, so that searches end early and scores matter
};

model::Node random_node(Dice& dice, uint32_t number);
// `nodes` is how many nodes there are about, for the names that a pod may give.
model::Pod random_pod(Dice& dice, const std::string& name, uint32_t nodes, bool plain = false);
std::string random_config(Dice& dice, PluginArguments& arguments);
// Something else than a pod that comes. `placed` and `pods` are how many pods of either kind had
// names so far; `nodes` is counted up where a new one comes.
Step random_event(Dice& dice, uint32_t placed, uint32_t pods, uint32_t& nodes);
World random_world(uint64_t seed, const WorldShape& shape);

}  // namespace berth::tests
