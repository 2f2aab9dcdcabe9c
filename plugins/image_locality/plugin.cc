#include "plugins/image_locality/image_locality.h"

BERTH_SDK_PLUGIN(berth::sdk::Hooks<berth::plugins::ImageLocality>, "io.berth.image-locality",
                 "ImageLocality", BERTH_SCORE, BERTH_RULES_SERVICE, "pod.volume_images");
