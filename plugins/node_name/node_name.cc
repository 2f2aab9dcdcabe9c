#include "plugins/node_name/node_name.h"

namespace berth::plugins {

void NodeNameFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                             NodeNameState& state) {
  state.wanted = pod.one(pod_node_name_);
  if (state.wanted == 0) prepared.passes();
  prepared.keep(node_name_);
}

void NodeNameFilter::filter(const Call& call, std::span<uint8_t> verdicts) const {
  const uint32_t wanted = call.state().wanted;
  const auto names = call[node_name_];
  for (size_t i = 0; i < names.size(); ++i)
    verdicts[i] =
        wanted == 0 || names[i] == wanted ? BERTH_SUCCESS : BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
}

}  // namespace berth::plugins
