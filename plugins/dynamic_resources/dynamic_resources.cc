#include "plugins/dynamic_resources/dynamic_resources.h"

#include <algorithm>

#include "berth/sdk/field_errors.hpp"

namespace berth::plugins {
namespace {

using std::chrono::nanoseconds;

void at_least(const sdk::Config& timeout, nanoseconds minimum, std::string_view problem) {
  if (timeout.present() && timeout.duration(minimum) < minimum)
    timeout.error(sdk::invalid_value(timeout.text(), problem));
}

}  // namespace

void ClaimsPreFilter::pre_filter(const Call&, sdk::PreFilterResult& result) const { result.skip(); }

// A pod that another PreFilter refused for good did not come to the PreFilter above. Upstream then
// finds no state of its own and fails with this text, and no other plugin is asked.
void ClaimsPostFilter::post_filter(const Call& call, std::span<const uint8_t>, uint64_t,
                                   berth_nomination& nomination) const {
  if ((call.raw().ran & BERTH_ASKED_PRE_FILTER) == 0) throw sdk::Failure("not found");
  nomination.code = BERTH_UNSCHEDULABLE;
  call.error().write("no new claims to deallocate");
}

void ClaimsScore::score(const Call& call, std::span<int64_t> raw) const {
  if ((call.raw().ran & BERTH_ASKED_PRE_FILTER) == 0) throw sdk::Failure("not found");
  std::fill(raw.begin(), raw.end(), 0);
}

void DynamicResources::validate(const sdk::Config& config) {
  config.type_meta("DynamicResourcesArgs");
  at_least(config["filterTimeout"], nanoseconds(0), "must be zero or positive");
  // Versions without this argument refuse it before.
  at_least(config["bindingTimeout"], std::chrono::seconds(1), "must be at least 1 second");
}

}  // namespace berth::plugins
