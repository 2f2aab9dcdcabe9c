#pragma once

// Prefers nodes that already have the pod's images. Large images, and images that many nodes have,
// weigh more (kube-scheduler v1.34.1, plugins/imagelocality).

#include <vector>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

struct ImageLocalityState {
  std::vector<uint32_t> images;  // codes, one per container
};

class ImageLocality final : public sdk::Score<ImageLocalityState> {
 public:
  ImageLocality() : Score(BERTH_NORMALISE_NONE) {}

  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               ImageLocalityState& state) override;
  void score(const Call& call, std::span<int64_t> raw) const override;

 private:
  sdk::ListInput<uint32_t> pod_images_{*this, "pod.images"};
  sdk::ListInput<uint32_t> node_images_{*this, "node.images"};
  sdk::ListInput<int64_t> sizes_{*this, "node.image_state_sizes"};
  sdk::ListInput<int64_t> nodes_with_image_{*this, "node.image_state_nodes"};
  sdk::Input<int64_t> nodes_{*this, "cluster.nodes"};
};

}  // namespace berth::plugins
