// The assumptions of a scheduler about claims and volumes, which it sends to the API server.

#include <algorithm>

#include "engine/model/volumes/volumes.h"

namespace berth::model {
namespace {

template <typename Entry>
auto* written(const Entry* entry) {
  using Object = const std::remove_cvref_t<decltype(entry->object)>*;
  if (entry == nullptr) return Object{nullptr};
  return entry->before ? &*entry->before : &entry->object;
}

// True if the volume is for the claim, its UID included.
bool is_for(const berth_volume& volume, StringId namespace_name, StringId name, StringId uid) {
  return (volume.flags & BERTH_VOLUME_HAS_CLAIM) != 0 && volume.claim_namespace == namespace_name &&
         volume.claim_name == name && volume.claim_uid == uid;
}
bool is_for(const berth_volume& volume, const berth_claim& claim) {
  return is_for(volume, claim.namespace_name, claim.name, claim.uid);
}

template <typename Entry>
bool assumes(const Entry& entry, uint64_t pod) {
  return std::find(entry.assumed_by.begin(), entry.assumed_by.end(), pod) != entry.assumed_by.end();
}

template <typename Entry>
void add_owner(Entry& entry, uint64_t pod) {
  if (!assumes(entry, pod)) entry.assumed_by.push_back(pod);
}

std::vector<std::string> modes_of(uint32_t bits) {
  std::vector<std::string> modes;
  if ((bits & BERTH_READ_WRITE_ONCE) != 0) modes.emplace_back("ReadWriteOnce");
  if ((bits & BERTH_READ_ONLY_MANY) != 0) modes.emplace_back("ReadOnlyMany");
  if ((bits & BERTH_READ_WRITE_MANY) != 0) modes.emplace_back("ReadWriteMany");
  if ((bits & BERTH_READ_WRITE_ONCE_POD) != 0) modes.emplace_back("ReadWriteOncePod");
  return modes;
}

}  // namespace

const berth_claim* Volumes::written_claim(StringId namespace_name, StringId name) const {
  return written(find_in(claims_, claim_key(namespace_name, name)));
}
const berth_volume* Volumes::written_volume(StringId name) const {
  return written(find_in(volumes_, name));
}

std::optional<PersistentVolumeClaim> Volumes::claim_object(StringId namespace_name,
                                                           StringId name) const {
  const auto* found = find_in(claims_, claim_key(namespace_name, name));
  if (found == nullptr) return std::nullopt;
  const berth_claim& of = *written(found);
  const auto has = [&](uint32_t flag) { return (of.flags & flag) != 0; };
  PersistentVolumeClaim claim;
  claim.namespace_name = string(of.namespace_name);
  claim.name = string(of.name);
  claim.uid = string(of.uid);
  claim.owner_uid = string(of.owner_uid);
  claim.volume_name = string(of.volume);
  claim.storage_class = string(of.storage_class);
  claim.selected_node = string(of.selected_node);
  claim.has_selected_node = of.selected_node != 0;
  claim.bind_completed = has(BERTH_CLAIM_BIND_COMPLETED);
  claim.lost = has(BERTH_CLAIM_LOST);
  claim.terminating = has(BERTH_CLAIM_TERMINATING);
  claim.block = has(BERTH_CLAIM_BLOCK);
  claim.access_modes = modes_of(of.access_modes);
  if (has(BERTH_CLAIM_HAS_STORAGE)) claim.storage = of.storage;
  if (found->spelled != nullptr) claim.selector = *found->spelled;
  claim.attributes_class = string(of.attributes_class);
  return claim;
}

std::optional<PersistentVolume> Volumes::volume_object(StringId name) const {
  const auto* found = find_in(volumes_, name);
  if (found == nullptr) return std::nullopt;
  const berth_volume& of = *written(found);
  const auto has = [&](uint32_t flag) { return (of.flags & flag) != 0; };
  PersistentVolume volume;
  volume.name = string(of.name);
  for (const auto& [key, value] : found->labels)
    volume.labels.emplace_back(string(key), string(value));
  volume.has_claim = has(BERTH_VOLUME_HAS_CLAIM);
  volume.claim_namespace = string(of.claim_namespace);
  volume.claim_name = string(of.claim_name);
  volume.claim_uid = string(of.claim_uid);
  volume.storage_class = string(of.storage_class);
  volume.attributes_class = string(of.attributes_class);
  volume.access_modes = modes_of(of.access_modes);
  volume.storage = of.storage;
  volume.block = has(BERTH_VOLUME_BLOCK);
  volume.available = has(BERTH_VOLUME_AVAILABLE);
  volume.terminating = has(BERTH_VOLUME_TERMINATING);
  volume.reclaim = found->reclaim;
  if (found->spelled != nullptr) volume.node_affinity = *found->spelled;
  volume.csi_driver = string(of.csi_driver);
  volume.csi_handle = string(of.csi_handle);
  volume.plugin = string(of.plugin);
  volume.plugin_handle = string(of.plugin_handle);
  return volume;
}

// The entry is as it was written, and will be assumed with these texts.
template <typename Entry>
void Volumes::assume_anew(Entry& entry, std::initializer_list<StringId> strings) {
  // Before the others go: they may be the same.
  for (const StringId id : strings)
    if (id != 0) strings_.retain(id);
  for (const StringId id : entry.assumed_strings) strings_.release(id);
  entry.assumed_strings.clear();
  for (const StringId id : strings)
    if (id != 0) entry.assumed_strings.push_back(id);
  entry.assumed_by.clear();
  if (entry.before)
    entry.object = *entry.before;
  else
    entry.before = entry.object;
  ++version_;
}

bool Volumes::assume_volume(uint64_t pod, StringId volume, const berth_claim& claim) {
  auto* found = find_in(volumes_, volume);
  if (found == nullptr) return false;
  if (!is_for(found->object, claim)) {
    // The claim may go before the volume does, so the volume keeps its texts.
    assume_anew(*found, {claim.namespace_name, claim.name, claim.uid});
    found->object.flags |= BERTH_VOLUME_HAS_CLAIM | BERTH_VOLUME_ASSUMED;
    found->object.claim_namespace = claim.namespace_name;
    found->object.claim_name = claim.name;
    found->object.claim_uid = claim.uid;
  }
  if (found->before) add_owner(*found, pod);
  return true;
}

bool Volumes::assume_claim(uint64_t pod, StringId namespace_name, StringId name, StringId node) {
  auto* found = find_in(claims_, claim_key(namespace_name, name));
  if (found == nullptr) return false;
  if (found->object.selected_node != node) {
    assume_anew(*found, {node});
    found->object.selected_node = node;
  }
  if (found->before) add_owner(*found, pod);
  return true;
}

template <typename Entry>
void Volumes::forget(Entry* entry, uint64_t pod) {
  if (entry == nullptr || std::erase(entry->assumed_by, pod) == 0 || !entry->assumed_by.empty())
    return;
  entry->object = *entry->before;
  entry->before.reset();
  for (const StringId id : entry->assumed_strings) strings_.release(id);
  entry->assumed_strings.clear();
  ++version_;
}

void Volumes::forget_volume(uint64_t pod, StringId volume) {
  forget(find_in(volumes_, volume), pod);
}
void Volumes::forget_claim(uint64_t pod, StringId namespace_name, StringId name) {
  forget(find_in(claims_, claim_key(namespace_name, name)), pod);
}

bool Volumes::write_volume(uint64_t pod, StringId volume, const berth_claim& claim) {
  const auto* found = find_in(volumes_, volume);
  if (found == nullptr) return false;
  if (is_for(*written(found), claim)) return true;
  if (!assumes(*found, pod) || !is_for(found->object, claim)) return false;
  writes_.push_back({true, volume, 0, claim.namespace_name, claim.name, claim.uid});
  return true;
}

bool Volumes::write_claim(uint64_t pod, StringId namespace_name, StringId name, StringId node) {
  const auto* found = find_in(claims_, claim_key(namespace_name, name));
  if (found == nullptr) return false;
  if (written(found)->selected_node == node) return true;
  if (!assumes(*found, pod) || found->object.selected_node != node) return false;
  writes_.push_back({false, claim_key(namespace_name, name), node, 0, 0, 0});
  return true;
}

// Two pods may have sent the same, and an object may be gone.
std::optional<VolumeObject> Volumes::next_write() {
  while (!writes_.empty()) {
    const Write write = writes_.front();
    writes_.pop_front();
    if (write.is_volume) {
      const berth_volume* now = written_volume(static_cast<StringId>(write.key));
      if (now == nullptr || is_for(*now, write.claim_namespace, write.claim_name, write.claim_uid))
        continue;
      PersistentVolume volume = *volume_object(now->name);
      volume.has_claim = true;
      volume.claim_namespace = string(write.claim_namespace);
      volume.claim_name = string(write.claim_name);
      volume.claim_uid = string(write.claim_uid);
      return volume;
    }
    const auto namespace_name = namespace_of_claim(write.key);
    const auto name = static_cast<StringId>(write.key);
    const berth_claim* now = written_claim(namespace_name, name);
    if (now == nullptr || now->selected_node == write.node) continue;
    PersistentVolumeClaim claim = *claim_object(namespace_name, name);
    claim.has_selected_node = true;
    claim.selected_node = string(write.node);
    return claim;
  }
  return std::nullopt;
}

uint64_t Volumes::assumed() const {
  const auto count = [](const auto& table) {
    return static_cast<uint64_t>(std::count_if(table.begin(), table.end(), [](const auto& entry) {
      return entry.second->before.has_value();
    }));
  };
  return count(claims_) + count(volumes_);
}

}  // namespace berth::model
