#include "plugins/volume_binding/binding_plugin.h"

#include <algorithm>

namespace berth::plugins {
namespace {

constexpr int64_t kDefaultBindTimeout = 600;            // seconds
constexpr int64_t kLongestBindTimeout = 1'000'000'000;  // 30 years, which fits in nanoseconds

}  // namespace

std::chrono::seconds VolumeBinding::bind_timeout(const sdk::Config& config) {
  config.type_meta("VolumeBindingArgs");
  const sdk::Config seconds = config["bindTimeoutSeconds"];
  const int64_t timeout = seconds.integer(kDefaultBindTimeout);
  if (timeout < 0)
    seconds.error(sdk::concat("Invalid value: ", timeout,
                              ": invalid BindTimeoutSeconds, should not be a negative value"));
  if (const sdk::Config shape = config["shape"]; shape.present())
    shape.error(
        "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring");
  return std::chrono::seconds(std::clamp(timeout, int64_t{0}, kLongestBindTimeout));
}

void VolumeBinding::init(sdk::Host, const sdk::Config& config) {
  pre_bind_.set_timeout(bind_timeout(config));
}

}  // namespace berth::plugins
