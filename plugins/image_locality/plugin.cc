#include "berth/sdk/services/signing.hpp"
#include "plugins/image_locality/image_locality.h"

namespace berth::plugins {

using ImageLocalityPlugin = sdk::HooksBy<BERTH_PART_IMAGES, ImageLocality>;

}  // namespace berth::plugins

BERTH_SDK_PLUGIN(berth::plugins::ImageLocalityPlugin, "io.berth.image-locality", "ImageLocality",
                 BERTH_SCORE, BERTH_RULES_SERVICE, "pod.volume_images");
