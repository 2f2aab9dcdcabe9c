#include "plugins/node_affinity/filter.h"

#include <algorithm>

#include "berth/sdk/arithmetic.hpp"

namespace berth::plugins {
namespace {

// Refuses positions that do not match; keeps the other verdicts.
BERTH_SDK_VECTORISE
void refuse_others(const uint8_t* matches, uint8_t* verdicts, size_t count) {
  for (size_t i = 0; i < count; ++i)
    verdicts[i] = matches[i] != 0 ? verdicts[i] : uint8_t{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE};
}

}  // namespace

void AffinityPreFilter::prepare(const sdk::Template& pod, sdk::Preparation&, NamedNodes& state) {
  const auto names = pod.one(node_names_);
  state.names.assign(names.begin(), names.end());
}

void AffinityPreFilter::pre_filter(const Call& call, sdk::PreFilterResult& result) const {
  const bool has_affinity = call.one(affinity_) != 0;
  if (!has_affinity && args_.added_required == 0 && call.one(has_node_selector_) == 0)
    return result.skip();
  if (!has_affinity || call.one(terms_) == 0 || call.one(names_nodes_) == 0) return;
  const NamedNodes& named = call.state();
  if (named.names.empty()) return result.refuse(BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, conflict_);
  result.narrow(named.names);
}

void AffinityFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                             RequiredMatches& state) {
  state.added = args_.added_required != 0;
  for (const uint32_t selector :
       {args_.added_required, pod.one(node_selector_), pod.one(affinity_)})
    if (selector != 0)
      state.columns.push_back(prepared.add<uint8_t>(selectors_.match_column(selector)));
  if (state.columns.empty()) prepared.passes();
}

void AffinityFilter::filter(const Call& call, std::span<uint8_t> verdicts) const {
  std::fill(verdicts.begin(), verdicts.end(), uint8_t{BERTH_SUCCESS});
  for (const sdk::Slot<uint8_t> column : call.state().columns)
    refuse_others(call[column].data(), verdicts.data(), verdicts.size());
}

void AffinityFilter::reasons(const Call& call, std::span<uint32_t> reasons) const {
  const RequiredMatches& state = call.state();
  for (size_t i = 0; i < reasons.size(); ++i)
    reasons[i] = state.added && call[state.columns[0]][i] == 0 ? enforced_ : pod_;
}

}  // namespace berth::plugins
