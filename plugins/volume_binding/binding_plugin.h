#pragma once

#include <chrono>

#include "plugins/volume_binding/binding.h"
#include "plugins/volume_binding/hints.h"
#include "plugins/volume_binding/score.h"

namespace berth::plugins {

// The arguments have a `shape` exactly if the feature gate StorageCapacityScoring is on: the host
// refuses it, or fills it in.
class VolumeBinding final : public sdk::Plugin {
 public:
  VolumeBinding() { add(pre_filter_, filter_, pre_score_, score_, reserve_, pre_bind_, hints_); }
  static void validate(const sdk::Config& config) { static_cast<void>(read(config)); }
  void init(sdk::Host host, const sdk::Config& config) override;

 private:
  struct Args {
    std::chrono::seconds bind_timeout{};
    BindingShape shape;
  };
  static Args read(const sdk::Config& config);

  DecidedPods decided_;
  BindingShape shape_;
  BindingPreFilter pre_filter_;
  BindingFilter filter_;
  BindingPreScore pre_score_{shape_};
  BindingScore score_{shape_};
  BindingReserve reserve_{decided_};
  BindingPreBind pre_bind_{decided_};
  BindingHints hints_;
};

}  // namespace berth::plugins
