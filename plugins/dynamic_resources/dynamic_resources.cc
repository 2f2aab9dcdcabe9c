#include "plugins/dynamic_resources/dynamic_resources.h"

namespace berth::plugins {

void ClaimsPreFilter::pre_filter(const Call&, sdk::PreFilterResult& result) const { result.skip(); }

// A pod that another PreFilter refused for good did not come to the PreFilter above. Upstream then
// finds no state of its own and fails with this text, and no other plugin is asked.
void ClaimsPostFilter::post_filter(const Call& call, std::span<const uint8_t>, uint64_t,
                                   berth_nomination& nomination) const {
  if ((call.raw().ran & BERTH_ASKED_PRE_FILTER) == 0) throw sdk::Failure("not found");
  nomination.code = BERTH_UNSCHEDULABLE;
  call.error().write("no new claims to deallocate");
}

}  // namespace berth::plugins
