#pragma once

#include "plugins/volume_binding/hints.h"

namespace berth::plugins {

// Does not wait until volumes are bound: what Reserve wrote counts from then on. So the argument
// bindTimeoutSeconds is checked and has no effect, which the log says.
class VolumeBinding final : public sdk::Plugin {
 public:
  VolumeBinding() { add(pre_filter_, filter_, reserve_, pre_bind_, hints_); }
  static void validate(const sdk::Config& config) { static_cast<void>(bind_timeout(config)); }
  void init(sdk::Host host, const sdk::Config& config) override;

 private:
  static int64_t bind_timeout(const sdk::Config& config);  // seconds

  BindingPreFilter pre_filter_;
  BindingFilter filter_;
  BindingReserve reserve_;
  BindingPreBind pre_bind_;
  BindingHints hints_;
};

}  // namespace berth::plugins
