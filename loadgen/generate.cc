#include "loadgen/generate.h"

#include <fmt/format.h>

#include "engine/base/draw.h"

namespace berth::loadgen {
namespace {

// What a number is drawn for, so that no two draws of one node are the same.
enum Draw : uint32_t { kShape = 0, kImages = 1, kCordon = 2, kPod = 3 };

constexpr const char* kImages_[] = {"web", "api", "batch", "cache", "db", "ingress", "train"};
constexpr int64_t kImageBytes = int64_t{90} * 1024 * 1024;
constexpr uint64_t kCordonOneIn = 200;

}  // namespace

model::Node make_node(const std::vector<NodeShape>& shapes, uint64_t seed, uint64_t number,
                      uint32_t zones) {
  auto drawn = [&](Draw what) { return draw(seed, number, what, Purpose::kLoad); };
  const NodeShape& shape = shapes[choose(shapes, drawn(kShape))];
  model::Node node;
  node.name = fmt::format("node-{:06}", number);
  node.labels = {{"beta.kubernetes.io/os", "linux"},
                 {"kubernetes.io/arch", "amd64"},
                 {"kubernetes.io/hostname", node.name},
                 {"kubernetes.io/os", "linux"},
                 {"node.kubernetes.io/instance-type", shape.name},
                 {"topology.kubernetes.io/region", "region-0"},
                 {"topology.kubernetes.io/zone", zone_name(static_cast<uint32_t>(number % zones))}};
  node.taints = shape.taints;
  node.allocatable = shape.allocatable;
  uint64_t images = drawn(kImages);
  for (size_t i = 0; i < std::size(kImages_); ++i)
    if ((images >> i & 1) != 0)
      node.images.push_back({{fmt::format("registry.example/{}:v1", kImages_[i])},
                             kImageBytes * static_cast<int64_t>(i + 1)});
  if (below(drawn(kCordon), kCordonOneIn) == 0) {
    node.unschedulable = true;
    node.taints.push_back({"node.kubernetes.io/unschedulable", "", "NoSchedule"});
  }
  return node;
}

size_t pod_shape(const std::vector<PodShape>& shapes, uint64_t seed, uint64_t number) {
  return choose(shapes, draw(seed, number, kPod, Purpose::kLoad));
}

std::string pod_name(const PodShape& shape, uint64_t number) {
  return fmt::format("{}-{:07}", shape.name, number);
}

}  // namespace berth::loadgen
