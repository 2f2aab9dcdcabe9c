#pragma once

// Prefers nodes that already have the pod's images. Large images, and images that many nodes have,
// weigh more (kube-scheduler v1.34.1, plugins/imagelocality).
//
// For each image of the pod that a node has, its size in bytes there counts, times the share of
// nodes that have the image. The sum is scaled to 0..100: 0 up to 23 MiB, and 100 from 1000 MiB for
// each container. Raw scores are final. An image of which no node knows counts nothing. With the
// rule ImagesOfVolumes (v1.36.2), images that volumes mount are in the sum, too, but are no
// containers.

#include <optional>
#include <vector>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

struct ImageLocalityState {
  // Codes of the dictionary `images`, one per container, init containers first, then those of
  // volumes. Empty: every node scores 0.
  std::vector<uint32_t> images;
  size_t containers = 0;
};

class ImageLocality final : public sdk::Score<ImageLocalityState> {
 public:
  ImageLocality() : Score(BERTH_NORMALISE_NONE) {}

  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               ImageLocalityState& state) override;
  void score(const Call& call, std::span<int64_t> raw) const override;

 private:
  sdk::ListInput<uint32_t> pod_images_{*this, "pod.images"};
  sdk::ListInput<uint32_t> node_images_{*this, "node.images"};
  sdk::ListInput<int64_t> sizes_{*this, "node.image_state_sizes"};
  sdk::ListInput<int64_t> nodes_with_image_{*this, "node.image_state_nodes"};
  sdk::Input<int64_t> nodes_{*this, "cluster.nodes"};
  std::optional<sdk::ListInput<uint32_t>> volume_images_;  // declared only where they count
};

}  // namespace berth::plugins
