#pragma once

#include <chrono>

#include "plugins/volume_binding/binding.h"
#include "plugins/volume_binding/hints.h"

namespace berth::plugins {

class VolumeBinding final : public sdk::Plugin {
 public:
  VolumeBinding() { add(pre_filter_, filter_, reserve_, pre_bind_, hints_); }
  static void validate(const sdk::Config& config) { static_cast<void>(bind_timeout(config)); }
  void init(sdk::Host host, const sdk::Config& config) override;

 private:
  static std::chrono::seconds bind_timeout(const sdk::Config& config);

  DecidedPods decided_;
  BindingPreFilter pre_filter_;
  BindingFilter filter_;
  BindingReserve reserve_{decided_};
  BindingPreBind pre_bind_{decided_};
  BindingHints hints_;
};

}  // namespace berth::plugins
