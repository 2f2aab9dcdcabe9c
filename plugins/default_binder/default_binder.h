#pragma once

// Writes a binding for each placement that no earlier plugin bound (kube-scheduler v1.34.1,
// plugins/defaultbinder).

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

class DefaultBind final : public sdk::Bind {
 public:
  DefaultBind() : Bind(BERTH_BIND_QUICK) {}
  void init(sdk::Host host) override { bindings_ = sdk::Bindings(host); }
  void bind(const Call& call, std::span<uint8_t> codes) const override;

 private:
  sdk::Input<uint64_t> pod_handle_{*this, "pod.handle"};
  sdk::Input<uint32_t> node_name_{*this, "node.name"};
  sdk::Bindings bindings_;
};

}  // namespace berth::plugins
