#include "engine/played/storage_protection.h"

#include <variant>

namespace berth::played {
namespace {

bool is_bound_to(const berth_claim& claim, const berth_volume& volume) {
  constexpr uint32_t kCompleted = BERTH_CLAIM_BIND_COMPLETED;
  return claim.volume == volume.name && (claim.flags & kCompleted) != 0 &&
         (volume.claim_uid == 0 || volume.claim_uid == claim.uid);
}

}  // namespace

void StorageProtection::changed(const model::VolumeChange& change) {
  if (change.kind == BERTH_ON_VOLUME) {
    const auto* before = static_cast<const berth_volume*>(change.before);
    const auto* after = static_cast<const berth_volume*>(change.after);
    if (before == nullptr) return;
    const Item item{true, before->name};
    if (after == nullptr || (after->flags & BERTH_VOLUME_TERMINATING) == 0)
      going_.erase(item);
    else if (going_.contains(item))
      check_.push_back(item);
    return;
  }
  if (change.kind != BERTH_ON_CLAIM) return;
  const auto* before = static_cast<const berth_claim*>(change.before);
  const auto* after = static_cast<const berth_claim*>(change.after);
  if (before != nullptr && going_.contains({true, before->volume}))
    check_.push_back({true, before->volume});
  const berth_claim& one = after != nullptr ? *after : *before;
  const Item item{false, model::claim_key(one.namespace_name, one.name)};
  if (after == nullptr || (after->flags & BERTH_CLAIM_TERMINATING) == 0) {
    going_.erase(item);
    return;
  }
  if (after->uid == 0) going_.insert(item);
  check_.push_back(item);
}

bool StorageProtection::in_use(const Item& item) const {
  if (!item.is_volume) return volumes().users(item.key).any();
  const berth_volume* volume = volumes().written_volume(model::name_of_claim(item.key));
  if ((volume->flags & BERTH_VOLUME_HAS_CLAIM) == 0) return false;
  const berth_claim* claim = volumes().written_claim(volume->claim_namespace, volume->claim_name);
  return claim != nullptr && is_bound_to(*claim, *volume);
}

std::optional<model::VolumeObject> StorageProtection::object(const Item& item) const {
  if (item.is_volume) return volumes().volume_object(model::name_of_claim(item.key));
  return volumes().claim_object(model::namespace_of_claim(item.key),
                                model::name_of_claim(item.key));
}

model::VolumeObject StorageProtection::terminating(const Item& item) {
  going_.insert(item);
  model::VolumeObject made = *object(item);
  if (item.is_volume)
    std::get<model::PersistentVolume>(made).terminating = true;
  else
    std::get<model::PersistentVolumeClaim>(made).terminating = true;
  return made;
}

std::optional<model::VolumeObject> StorageProtection::stays(const model::VolumeObject& deleted) {
  const model::Strings& strings = cluster_.strings();
  Item item;
  if (const auto* claim = std::get_if<model::PersistentVolumeClaim>(&deleted)) {
    if (!claim->uid.empty()) return std::nullopt;
    item.key = model::claim_key(strings.find(claim->namespace_name), strings.find(claim->name));
  } else if (const auto* volume = std::get_if<model::PersistentVolume>(&deleted)) {
    if (!volume->claim_uid.empty()) return std::nullopt;
    item = {true, strings.find(volume->name)};
  } else {
    return std::nullopt;
  }
  if (!object(item) || !in_use(item)) return std::nullopt;
  return terminating(item);
}

std::optional<model::VolumeObject> StorageProtection::stays_without_owner(
    const model::PersistentVolumeClaim& claim) {
  const model::Strings& strings = cluster_.strings();
  const Item item{false,
                  model::claim_key(strings.find(claim.namespace_name), strings.find(claim.name))};
  if (volumes().users(item.key).by_name == 0) return std::nullopt;
  return terminating(item);
}

std::optional<model::VolumeObject> StorageProtection::next_to_remove() {
  while (!check_.empty()) {
    const Item item = check_.front();
    check_.pop_front();
    if (going_.contains(item) && !in_use(item)) return object(item);
  }
  return std::nullopt;
}

}  // namespace berth::played
