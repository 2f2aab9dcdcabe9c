#include "plugins/pod_topology_spread/hints.h"

#include <algorithm>

namespace berth::plugins {
namespace {

using One = SpreadHintState::Constraint;

bool any_matches(const SpreadHintState& state, const sdk::Columns& pod) {
  return std::any_of(state.all.begin(), state.all.end(),
                     [&](const One& one) { return pod[one.matches][0] != 0; });
}

bool has_all_keys(const SpreadHintState& state, const sdk::Columns& node) {
  return std::all_of(state.all.begin(), state.all.end(),
                     [&](const One& one) { return node[one.domain][0] != 0; });
}

}  // namespace

uint32_t SpreadHints::actions(uint32_t kind) const {
  if (kind == BERTH_ON_NODE)
    return BERTH_DID_ADD | BERTH_DID_DELETE | BERTH_DID_UPDATE_LABEL | BERTH_DID_UPDATE_TAINT;
  return (kind & BERTH_ON_STORAGE) != 0 ? 0
                                        : BERTH_DID_ADD | BERTH_DID_DELETE |
                                              BERTH_DID_UPDATE_LABEL | BERTH_DID_UPDATE_TOLERATION;
}

void SpreadHints::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                          SpreadHintState& state) {
  prepared.keep(taints_, reader_.tolerations());
  const PodConstraints found = reader_.read(pod, true);
  state.malformed = !found.problem.empty();
  for (const Constraint& constraint : found.all) {
    state.honours_taints |= constraint.honours_taints;
    state.all.push_back({prepared.add<uint8_t>(sdk::concat("event.matches:", constraint.term)),
                         prepared.add<uint32_t>(reader_.column("node.domain:", constraint.key))});
  }
}

bool SpreadHints::hint(const Call& call, const sdk::Event& event) const {
  return event.on_node() ? after_node(call.state(), event) : after_pod(call.state(), event);
}

// Terms select pods of the refused pod's namespace alone.
bool SpreadHints::after_pod(const SpreadHintState& state, const sdk::Event& event) const {
  if (concerns_nobody(event)) return false;
  if (state.malformed) return true;
  if (event.added()) return any_matches(state, event.after());
  if (event.deleted()) return any_matches(state, event.before());
  const sdk::Input<uint32_t>& tolerations = reader_.tolerations();
  if (event.self() && state.honours_taints &&
      event.before().one(tolerations) != event.after().one(tolerations))
    return true;
  return std::any_of(state.all.begin(), state.all.end(), [&](const One& one) {
    return event.before()[one.matches][0] != event.after()[one.matches][0];
  });
}

bool SpreadHints::after_node(const SpreadHintState& state, const sdk::Event& event) const {
  if (state.malformed) return true;
  if (event.added()) return has_all_keys(state, event.after());
  if (event.deleted()) return has_all_keys(state, event.before());
  const bool has = has_all_keys(state, event.after());
  if (has != has_all_keys(state, event.before())) return true;
  if (!has) return false;
  return event.before().one(taints_) != event.after().one(taints_) ||
         std::any_of(state.all.begin(), state.all.end(), [&](const One& one) {
           return event.before()[one.domain][0] != event.after()[one.domain][0];
         });
}

}  // namespace berth::plugins
