#pragma once

// Nodes and pods of a made-up cluster. They take few different values, so that pods and nodes often
// agree in what one plugin reads and differ in what it does not.

#include <string>
#include <vector>

#include "engine/host/instance/instance.h"
#include "engine/model/objects/volume_objects.h"
#include "engine/validator/world/draws.h"

namespace berth::validator {

// The names that a plugin's columns mention, and some that every cluster has. Each list is sorted
// and has no name twice.
struct Vocabulary {
  std::vector<std::string> node_labels;  // keys
  std::vector<std::string> pod_labels;
  std::vector<std::string> annotations;  // of nodes
  std::vector<std::string> resources;    // besides cpu, memory and pods
};

Vocabulary vocabulary_of(const host::Instance& instance);

model::Node random_node(Draws& draws, const Vocabulary& words, uint32_t number);
// A pod without a node. `nodes`: how many there are, for the node that it may name.
model::Pod random_pod(Draws& draws, const Vocabulary& words, uint32_t number, uint32_t nodes);
// A pod that differs from `other` in its names and in one part.
model::Pod random_twin(Draws& draws, const Vocabulary& words, uint32_t number,
                       const model::Pod& other);
// The claims that these pods name, and what belongs to them.
std::vector<model::VolumeObject> random_storage(Draws& draws, uint32_t nodes);

std::string node_name(uint32_t number);

}  // namespace berth::validator
