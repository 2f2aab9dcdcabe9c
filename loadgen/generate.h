#pragma once

// Synthetic nodes and pods, each a function of the seed and its number: the same on any machine.

#include <cstdint>

#include "loadgen/shapes.h"

namespace berth::loadgen {

model::Node make_node(const std::vector<NodeShape>& shapes, uint64_t seed, uint64_t number,
                      uint32_t zones);
// The shape of the pod of that number, as an index.
size_t pod_shape(const std::vector<PodShape>& shapes, uint64_t seed, uint64_t number);
std::string pod_name(const PodShape& shape, uint64_t number);

}  // namespace berth::loadgen
