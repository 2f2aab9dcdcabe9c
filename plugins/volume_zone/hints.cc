#include "plugins/volume_zone/hints.h"

namespace berth::plugins {

uint32_t ZoneHints::actions(uint32_t kind) const {
  if (kind == BERTH_ON_NODE) return BERTH_DID_ADD | BERTH_DID_UPDATE_LABEL;
  if (kind == BERTH_ON_CLAIM || kind == BERTH_ON_VOLUME)
    return BERTH_DID_ADD | BERTH_DID_UPDATE_OTHER;
  return kind == BERTH_ON_STORAGE_CLASS ? BERTH_DID_ADD : 0;
}

bool ZoneHints::of_claim(const Call& call, const berth_claim& claim) const {
  const auto claims = call.one(claims_);
  const auto owners = call.one(owners_);
  for (size_t i = 0; i < claims.size(); ++i)
    if (owners[i] == 0 && claims[i] == sdk::key_of(claim)) return true;
  return false;
}

bool ZoneHints::hint(const Call& call, const sdk::Event& event) const {
  switch (event.raw().kind) {
    case BERTH_ON_CLAIM:
      return of_claim(call, *event.object_after<berth_claim>());
    case BERTH_ON_STORAGE_CLASS:
      return (event.object_after<berth_storage_class>()->flags & BERTH_CLASS_WAITS) != 0;
    case BERTH_ON_VOLUME: {
      const auto* before = event.object_before<berth_volume>();
      return before == nullptr ||
             zones_of(*before, strings_) != zones_of(*event.object_after<berth_volume>(), strings_);
    }
    default:
      return true;
  }
}

}  // namespace berth::plugins
