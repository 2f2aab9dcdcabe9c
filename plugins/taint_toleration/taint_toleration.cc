#include "plugins/taint_toleration/taint_toleration.h"

#include "berth/sdk/services/rules.hpp"

namespace berth::plugins {
namespace {

// The lists of taints in a call, by position.
class TaintLists {
 public:
  TaintLists(const sdk::Columns& columns, const TaintInputs& inputs)
      : keys_(columns[inputs.keys]),
        values_(columns[inputs.values]),
        effects_(columns[inputs.effects]) {}

  size_t length(size_t position) const { return keys_[position].size(); }
  sdk::Taint get(size_t position, size_t i) const {
    return {keys_[position][i], values_[position][i], effects_[position][i]};
  }

 private:
  sdk::Lists<uint32_t> keys_, values_, effects_;
};

// Index of the first taint of a list that refuses the pod; the list's length if none does.
size_t first_untolerated(const TaintLists& taints, size_t position,
                         const sdk::Tolerations& tolerations, const sdk::TaintWords& words) {
  const size_t length = taints.length(position);
  for (size_t i = 0; i < length; ++i) {
    const sdk::Taint taint = taints.get(position, i);
    const bool refuses = taint.effect == words.no_schedule || taint.effect == words.no_execute;
    if (refuses && !tolerations.tolerate(taint)) return i;
  }
  return length;
}

}  // namespace

void TaintFilter::init(sdk::Host host) {
  strings_ = sdk::Strings(host);
  words_ = sdk::TaintWords(strings_);
  unnamed_ = sdk::Rules(host).holds("TaintsUnnamed");
}

void TaintFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared, TaintState& state) {
  state.tolerations = sdk::Tolerations(pod, tolerations_, words_);
  prepared.keep(taints_.keys, taints_.values, taints_.effects);
}

void TaintFilter::filter(const Call& call, std::span<uint8_t> verdicts) const {
  const TaintLists taints(call, taints_);
  const sdk::Tolerations& tolerations = call.state().tolerations;
  for (size_t i = 0; i < verdicts.size(); ++i)
    verdicts[i] = first_untolerated(taints, i, tolerations, words_) == taints.length(i)
                      ? BERTH_SUCCESS
                      : BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
}

void TaintFilter::describe(const Call& call, uint32_t, const sdk::TextSink& sink) const {
  if (unnamed_) return sink.write("node(s) had untolerated taint(s)");
  const TaintLists taints(call, taints_);
  const size_t first = first_untolerated(taints, 0, call.state().tolerations, words_);
  if (first == taints.length(0)) return;
  const sdk::Taint taint = taints.get(0, first);
  sink.write(sdk::concat("node(s) had untolerated taint {", strings_.text(taint.key), ": ",
                         strings_.text(taint.value), "}"));
}

void TaintScore::prepare(const sdk::Template& pod, sdk::Preparation& prepared, TaintState& state) {
  state.tolerations = sdk::Tolerations(pod, tolerations_, words_);
  prepared.keep(taints_.keys, taints_.values, taints_.effects);
}

void TaintScore::score(const Call& call, std::span<int64_t> raw) const {
  if (!call.ran_pre_score())
    throw sdk::Failure("failed to read \"PreScoreTaintToleration\" from cycleState: not found");
  const TaintLists taints(call, taints_);
  const sdk::Tolerations& tolerations = call.state().tolerations;
  for (size_t i = 0; i < raw.size(); ++i) {
    raw[i] = 0;
    for (size_t k = 0; k < taints.length(i); ++k) {
      const sdk::Taint taint = taints.get(i, k);
      if (taint.effect == words_.prefer_no_schedule && !tolerations.tolerate(taint)) ++raw[i];
    }
  }
}

uint32_t TaintHints::actions(uint32_t kind) const {
  if (kind == BERTH_ON_NODE) return BERTH_DID_ADD | BERTH_DID_UPDATE_TAINT;
  return (kind & BERTH_ON_STORAGE) != 0 ? 0 : BERTH_DID_UPDATE_TOLERATION;
}

void TaintHints::prepare(const sdk::Template& pod, sdk::Preparation& prepared, TaintState& state) {
  state.tolerations = sdk::Tolerations(pod, tolerations_, words_);
  prepared.keep(node_taints_, taints_.keys, taints_.values, taints_.effects);
}

bool TaintHints::hint(const Call& call, const sdk::Event& event) const {
  if (!event.on_node()) return event.self();
  const TaintLists taints(call, taints_);
  const auto refuses = [&](const sdk::Columns& node) {
    const size_t list = node.one(node_taints_);
    return first_untolerated(taints, list, call.state().tolerations, words_) != taints.length(list);
  };
  return !refuses(event.after()) && (event.added() || refuses(event.before()));
}

}  // namespace berth::plugins
