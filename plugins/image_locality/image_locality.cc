#include "plugins/image_locality/image_locality.h"

#include <algorithm>

#include "berth/sdk/services/rules.hpp"

namespace berth::plugins {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kFrom = 23 * kMiB;               // bytes; score 0 up to here
constexpr int64_t kToEachContainer = 1000 * kMiB;  // bytes per container; score 100 from here on

int64_t scale(int64_t sum, size_t containers) {
  if (sum <= kFrom) return 0;
  const int64_t to = kToEachContainer * static_cast<int64_t>(containers);
  return 100 * (std::min(sum, to) - kFrom) / (to - kFrom);
}

// The image's size in bytes, times the share of the nodes that have it; 0 if the node lacks it.
int64_t weight(uint32_t image, std::span<const uint32_t> images, std::span<const int64_t> sizes,
               std::span<const int64_t> nodes_with, double nodes) {
  const auto at = std::find(images.begin(), images.end(), image);
  if (at == images.end()) return 0;
  const auto i = static_cast<size_t>(at - images.begin());
  return static_cast<int64_t>(static_cast<double>(sizes[i]) *
                              (static_cast<double>(nodes_with[i]) / nodes));
}

}  // namespace

void ImageLocality::init(sdk::Host host) {
  if (sdk::Rules(host).holds("ImagesOfVolumes")) volume_images_.emplace(*this, "pod.volume_images");
}

void ImageLocality::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                            ImageLocalityState& state) {
  const auto images = pod.one(pod_images_);
  state.images.assign(images.begin(), images.end());
  state.containers = images.size();
  if (volume_images_) {
    const auto of_volumes = pod.one(*volume_images_);
    state.images.insert(state.images.end(), of_volumes.begin(), of_volumes.end());
  }
  if (state.images.empty()) prepared.passes();
  prepared.keep(node_images_, sizes_, nodes_with_image_, nodes_);
}

void ImageLocality::score(const Call& call, std::span<int64_t> raw) const {
  const ImageLocalityState& wanted = call.state();
  const auto images = call[node_images_];
  const auto sizes = call[sizes_];
  const auto nodes_with = call[nodes_with_image_];
  const auto total = static_cast<double>(call.one(nodes_));
  for (size_t i = 0; i < raw.size(); ++i) {
    raw[i] = 0;
    if (images[i].empty()) continue;  // as on every node of most clusters of a benchmark
    for (const uint32_t image : wanted.images)
      raw[i] += weight(image, images[i], sizes[i], nodes_with[i], total);
    raw[i] = scale(raw[i], wanted.containers);
  }
}

}  // namespace berth::plugins
