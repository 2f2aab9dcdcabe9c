#include "plugins/volume_binding/binding_plugin.h"

#include <algorithm>

#include "berth/sdk/services/signing.hpp"

namespace berth::plugins {
namespace {

constexpr int64_t kDefaultBindTimeout = 600;            // seconds
constexpr int64_t kLongestBindTimeout = 1'000'000'000;  // 30 years, which fits in nanoseconds

}  // namespace

VolumeBinding::Args VolumeBinding::read(const sdk::Config& config) {
  Args args;
  config.type_meta("VolumeBindingArgs");
  const sdk::Config seconds = config["bindTimeoutSeconds"];
  const int64_t timeout = seconds.integer(kDefaultBindTimeout);
  if (timeout < 0)
    seconds.error(sdk::concat("Invalid value: ", timeout,
                              ": invalid BindTimeoutSeconds, should not be a negative value"));
  args.bind_timeout = std::chrono::seconds(std::clamp(timeout, int64_t{0}, kLongestBindTimeout));
  if (const sdk::Config list = config["shape"]; list.present()) {
    const std::vector<sdk::ShapePoint> shape = sdk::read_shape(list);
    if (sdk::check_shape(shape, config)) args.shape = sdk::interpolate(shape);
  }
  return args;
}

void VolumeBinding::init(sdk::Host host, const sdk::Config& config) {
  const Args args = read(config);
  pre_bind_.set_timeout(args.bind_timeout);
  shape_ = args.shape;
  sdk::decides_by(host, BERTH_PART_VOLUMES);
}

}  // namespace berth::plugins
