#include "plugins/node_volume_limits/hints.h"

#include <algorithm>

namespace berth::plugins {
namespace {

// A driver without a limit counts as one of 0 here.
int64_t limit_of(const berth_csi_node& node, uint32_t driver) {
  for (uint32_t i = 0; i < node.driver_count; ++i)
    if (node.drivers[i] == driver) return std::max<int64_t>(0, node.limits[i]);
  return 0;
}

bool grew(const berth_csi_node& before, const berth_csi_node& after) {
  for (uint32_t i = 0; i < after.driver_count; ++i)
    if (after.limits[i] > limit_of(before, after.drivers[i])) return true;
  return false;
}

}  // namespace

uint32_t LimitsHints::actions(uint32_t kind) const {
  switch (kind) {
    case BERTH_ON_CSI_NODE:
      return BERTH_DID_ADD | BERTH_DID_UPDATE_OTHER;
    case BERTH_ON_CLAIM:
      return BERTH_DID_ADD;
    case BERTH_ON_POD_ASSIGNED:
    case BERTH_ON_POD_PENDING:
    case BERTH_ON_VOLUME_ATTACHMENT:
      return BERTH_DID_DELETE;
    default:
      return 0;
  }
}

bool LimitsHints::may_be_attached_by(const Call& call, uint32_t driver) const {
  const auto owners = call.one(owners_);
  if (std::ranges::find(owners, 0u) != owners.end()) return true;
  const auto volumes = call.one(inline_);
  return std::ranges::any_of(volumes, [&](uint64_t volume) {
    return csi_driver_of(strings_.text(static_cast<uint32_t>(volume >> 32))) ==
           strings_.text(driver);
  });
}

bool LimitsHints::hint(const Call& call, const sdk::Event& event) const {
  switch (event.raw().kind) {
    case BERTH_ON_CSI_NODE:
      return event.added() ||
             grew(*event.object_before<berth_csi_node>(), *event.object_after<berth_csi_node>());
    case BERTH_ON_CLAIM: {
      const auto claims = call.one(claims_);
      const uint64_t key = sdk::key_of(*event.object_after<berth_claim>());
      return std::ranges::find(claims, key) != claims.end();
    }
    case BERTH_ON_VOLUME_ATTACHMENT:
      return may_be_attached_by(call, event.object_before<berth_volume_attachment>()->attacher);
    default:
      if (event.node() == 0 && event.nominated_node() == 0) return false;
      return !event.before().one(claims_).empty() || !event.before().one(inline_).empty();
  }
}

}  // namespace berth::plugins
