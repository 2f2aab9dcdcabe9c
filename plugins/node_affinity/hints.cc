#include "plugins/node_affinity/hints.h"

namespace berth::plugins {
namespace {

// kError: no term of the affinity matches, and one cannot be parsed.
enum class Match : uint8_t { kNo, kYes, kError };

bool passes(const sdk::Columns& node, const std::optional<sdk::Slot<uint8_t>>& column) {
  return !column || node[*column][0] != 0;
}

Match match(const sdk::Columns& node, const MatchColumns& columns) {
  if (!passes(node, columns.selector)) return Match::kNo;
  if (passes(node, columns.affinity)) return Match::kYes;
  return columns.malformed ? Match::kError : Match::kNo;
}

}  // namespace

uint32_t AffinityHints::actions(uint32_t kind) const {
  return kind == BERTH_ON_NODE ? BERTH_DID_ADD | BERTH_DID_UPDATE_LABEL : 0;
}

bool AffinityHints::malformed(uint32_t selector) const {
  bool any = false;
  const berth_text_sink sink = {sizeof(sink), 0, &any, [](void* context, berth_string) {
                                  *static_cast<bool*>(context) = true;
                                }};
  selectors_.problems(selector, &sink);
  return any;
}

void AffinityHints::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                            MatchColumns& state) {
  const auto column = [&](uint32_t selector) -> std::optional<sdk::Slot<uint8_t>> {
    if (selector == 0) return std::nullopt;
    return prepared.add<uint8_t>(selectors_.match_column(selector));
  };
  state.added = column(args_.added_required);
  state.selector = column(pod.one(node_selector_));
  state.affinity = column(pod.one(affinity_));
  state.malformed = state.affinity && malformed(pod.one(affinity_));
}

// As in kube-scheduler, the affinity of the configuration is not looked at before the update, and a
// malformed affinity is tried again.
bool AffinityHints::hint(const Call& call, const sdk::Event& event) const {
  const MatchColumns& columns = call.state();
  if (!passes(event.after(), columns.added)) return false;
  const Match now = match(event.after(), columns);
  if (now != Match::kYes) return now == Match::kError;
  return event.added() || match(event.before(), columns) != Match::kYes;
}

}  // namespace berth::plugins
