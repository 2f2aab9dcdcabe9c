#include "plugins/node_unschedulable/node_unschedulable.h"

namespace berth::plugins {

CordonTaint::CordonTaint(const sdk::Strings& strings)
    : words(strings),
      taint{strings.intern("node.kubernetes.io/unschedulable"), strings.intern(""),
            words.no_schedule} {}

void NodeUnschedulableFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                                      NodeUnschedulableState& state) {
  state.tolerated = cordon_.tolerated_by(pod, tolerations_);
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

uint32_t NodeUnschedulableHints::actions(uint32_t kind) const {
  if (kind == BERTH_ON_NODE) return BERTH_DID_ADD | BERTH_DID_UPDATE_TAINT;
  return (kind & BERTH_ON_STORAGE) != 0 ? 0 : BERTH_DID_UPDATE_TOLERATION;
}

bool NodeUnschedulableHints::hint(const Call&, const sdk::Event& event) const {
  if (!event.on_node()) return event.self() && cordon_.tolerated_by(event.after(), tolerations_);
  return event.after().one(unschedulable_) == 0 &&
         (event.added() || event.before().one(unschedulable_) != 0);
}

}  // namespace berth::plugins
