#include "plugins/node_unschedulable/node_unschedulable.h"

namespace berth::plugins {

void NodeUnschedulableFilter::init(sdk::Host host) {
  const sdk::Strings strings(host);
  words_ = sdk::TaintWords(strings);
  taint_ = {strings.intern("node.kubernetes.io/unschedulable"), strings.intern(""),
            words_.no_schedule};
}

void NodeUnschedulableFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                                      NodeUnschedulableState& state) {
  state.tolerated = sdk::Tolerations(pod, tolerations_, words_).tolerate(taint_);
  if (state.tolerated) prepared.passes();
  prepared.keep(unschedulable_);
}

void NodeUnschedulableFilter::filter(const Call& call, std::span<uint8_t> verdicts) const {
  const uint8_t refusal =
      call.state().tolerated ? BERTH_SUCCESS : BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
  const auto unschedulable = call[unschedulable_];
  for (size_t i = 0; i < verdicts.size(); ++i)
    verdicts[i] = unschedulable[i] != 0 ? refusal : BERTH_SUCCESS;
}

}  // namespace berth::plugins
