#include "plugins/volume_binding/binding_plugin.h"

namespace berth::plugins {
namespace {

constexpr int64_t kDefaultBindTimeout = 600;  // seconds

}  // namespace

int64_t VolumeBinding::bind_timeout(const sdk::Config& config) {
  config.type_meta("VolumeBindingArgs");
  const sdk::Config seconds = config["bindTimeoutSeconds"];
  const int64_t timeout = seconds.integer(kDefaultBindTimeout);
  if (timeout < 0)
    seconds.error(sdk::concat("Invalid value: ", timeout,
                              ": invalid BindTimeoutSeconds, should not be a negative value"));
  if (const sdk::Config shape = config["shape"]; shape.present())
    shape.error(
        "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring");
  return timeout;
}

void VolumeBinding::init(sdk::Host host, const sdk::Config& config) {
  if (bind_timeout(config) == kDefaultBindTimeout) return;
  sdk::Log(host).write(BERTH_LOG_WARNING,
                       "bindTimeoutSeconds has no effect: volumes are not waited for");
}

}  // namespace berth::plugins
