#pragma once

// What synthetic nodes and pods look like: shapes with weights, the built-in ones and those of the
// command line.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/objects.h"

namespace berth::loadgen {

struct NodeShape {
  std::string name;
  uint64_t weight = 1;
  model::ResourceList allocatable;  // sorted by name
  std::vector<model::Taint> taints;
};

struct PodShape {
  std::string name;
  uint64_t weight = 1;
  model::Pod pod;  // without name and uid
};

std::vector<NodeShape> builtin_node_shapes();
// `zones` is how many there are, for shapes that want some of them.
std::vector<PodShape> builtin_pod_shapes(uint32_t zones);

// "NAME[=WEIGHT]:cpu=4,memory=16Gi,pods=110". Throws Error that says what was expected.
NodeShape parse_node_shape(const std::string& text);
// "FILE[=WEIGHT]": a manifest with one pod. Throws Error.
PodShape read_pod_shape(const std::string& text);

std::string zone_name(uint32_t zone);

// The index of the shape that a drawn number chooses, by weight. Precondition: the weights' sum is
// not 0.
template <typename Shape>
size_t choose(const std::vector<Shape>& shapes, uint64_t number);

}  // namespace berth::loadgen
