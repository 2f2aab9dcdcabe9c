#include "plugins/volume_binding/hints.h"

#include <algorithm>

namespace berth::plugins {
namespace {

bool grew(const berth_csi_capacity& before, const berth_csi_capacity& after) {
  const auto has = [](const berth_csi_capacity& one) {
    return (one.flags & BERTH_CAPACITY_HAS_LIMIT) != 0;
  };
  return has(after) && (!has(before) || after.limit > before.limit);
}

// True if the event, an update, matters to all pods.
template <class Object, class Changed>
bool updated(const sdk::Event& event, Changed&& changed) {
  return event.added() || changed(*event.object_before<Object>(), *event.object_after<Object>());
}

}  // namespace

uint32_t BindingHints::actions(uint32_t kind) const {
  switch (kind) {
    case BERTH_ON_NODE:
      return BERTH_DID_ADD | BERTH_DID_UPDATE_LABEL;
    case BERTH_ON_CLAIM:
    case BERTH_ON_VOLUME:
    case BERTH_ON_STORAGE_CLASS:
    case BERTH_ON_CSI_NODE:
    case BERTH_ON_CSI_CAPACITY:
      return BERTH_DID_ADD | BERTH_DID_UPDATE_OTHER;
    case BERTH_ON_CSI_DRIVER:
      return BERTH_DID_UPDATE_OTHER;
    default:
      return 0;
  }
}

bool BindingHints::hint(const Call& call, const sdk::Event& event) const {
  const auto lists = [](const auto& list, auto value) {
    return std::ranges::find(list, value) != list.end();
  };
  switch (event.raw().kind) {
    case BERTH_ON_CLAIM:
      return lists(call.one(claims_), sdk::key_of(*event.object_after<berth_claim>()));
    case BERTH_ON_STORAGE_CLASS:
      return updated<berth_storage_class>(event, [](const auto& before, const auto& after) {
        return before.allowed_topologies != after.allowed_topologies;
      });
    case BERTH_ON_CSI_NODE:
      return updated<berth_csi_node>(event, [](const auto& before, const auto& after) {
        return before.migrated_plugins != after.migrated_plugins;
      });
    case BERTH_ON_CSI_CAPACITY:
      return updated<berth_csi_capacity>(event, grew);
    case BERTH_ON_CSI_DRIVER: {
      const auto& before = *event.object_before<berth_csi_driver>();
      const auto& after = *event.object_after<berth_csi_driver>();
      return before.storage_capacity != 0 && after.storage_capacity == 0 &&
             lists(call.one(drivers_), after.name);
    }
    default:
      return true;
  }
}

}  // namespace berth::plugins
