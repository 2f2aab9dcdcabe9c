// Pods with the label example.com/rack run only on nodes with the same label.

#include "berth/sdk/sdk.hpp"

namespace sdk = berth::sdk;

struct RackFilter : sdk::Filter<> {
  sdk::Input<uint32_t> wanted{*this, "pod.label:example.com/rack"};
  sdk::Input<uint32_t> rack{*this, "node.label:example.com/rack"};
  sdk::Reason other_rack{*this, "node(s) were in another rack"};

  void filter(const Call& call, std::span<uint8_t> verdicts) const override {
    constexpr uint8_t kNever = BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
    const uint32_t mine = call.one(wanted);
    const auto racks = call[rack];
    for (size_t i = 0; i < racks.size(); ++i)
      verdicts[i] = mine == 0 || racks[i] == mine ? BERTH_SUCCESS : kNever;
  }
};

BERTH_SDK_PLUGIN(sdk::Hooks<RackFilter>, "com.example.rack", "Rack", BERTH_FILTER);
