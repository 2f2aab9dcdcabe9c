#include "plugins/volume_restrictions/hints.h"

#include <algorithm>

namespace berth::plugins {

uint32_t RestrictionsHints::actions(uint32_t kind) const {
  if (kind == BERTH_ON_NODE || kind == BERTH_ON_CLAIM) return BERTH_DID_ADD;
  return (kind & BERTH_ON_STORAGE) != 0 ? 0 : BERTH_DID_DELETE;
}

bool RestrictionsHints::has_claim(const sdk::Columns& pod, uint64_t key) const {
  const auto claims = pod.one(claims_);
  const auto owners = pod.one(owners_);
  for (size_t i = 0; i < claims.size(); ++i)
    if (owners[i] == 0 && claims[i] == key) return true;
  return false;
}

bool RestrictionsHints::frees(const sdk::Columns& gone, const sdk::Columns& refused) const {
  if (gone[namespace_][0] != refused[namespace_][0]) return false;
  if (disks_conflict(refused.one(disks_), gone.one(disks_))) return true;
  const auto claims = gone.one(claims_);
  const auto owners = gone.one(owners_);
  for (size_t i = 0; i < claims.size(); ++i)
    if (owners[i] == 0 && has_claim(refused, claims[i])) return true;
  return false;
}

bool RestrictionsHints::hint(const Call& call, const sdk::Event& event) const {
  if (event.on_node()) return true;
  if (event.raw().kind == BERTH_ON_CLAIM)
    return has_claim(call, sdk::key_of(*event.object_after<berth_claim>()));
  return frees(event.before(), call);
}

}  // namespace berth::plugins
