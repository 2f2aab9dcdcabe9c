// A pod with the annotation example.com/node fits the node of that name alone.

#include "berth/sdk/sdk.hpp"

namespace berth::tests {
namespace {

struct FollowsState {
  uint32_t wanted = 0;  // string id of the node's name; 0: any node
};

class FollowsFilter final : public sdk::Filter<FollowsState> {
 public:
  void prepare(const sdk::Template& pod, sdk::Preparation&, FollowsState& state) override {
    state.wanted = pod.one(annotation_);
  }
  void filter(const Call& call, std::span<uint8_t> verdicts) const override {
    const uint32_t wanted = call.state().wanted;
    for (size_t i = 0; i < verdicts.size(); ++i)
      verdicts[i] = wanted == 0 || call[node_][i] == wanted ? BERTH_SUCCESS : BERTH_UNSCHEDULABLE;
  }

 private:
  sdk::Input<uint32_t> annotation_{*this, "pod.annotation:example.com/node"};
  sdk::Input<uint32_t> node_{*this, "node.name"};
  sdk::Reason other_{*this, "node(s) had another name than the annotation"};
};

using Follows = sdk::Hooks<FollowsFilter>;

}  // namespace
}  // namespace berth::tests

BERTH_SDK_PLUGIN(berth::tests::Follows, "io.berth.test-follows", "Follows", BERTH_FILTER,
                 "pod.annotation:example.com/node");
