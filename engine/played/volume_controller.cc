#include "engine/played/volume_controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>

#include "engine/base/draw.h"

namespace berth::played {
namespace {

constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";
// The UID that a released volume names if its claim had none: that of no claim.
constexpr std::string_view kReleased = "released";
// Provisioners whose volumes have an in-tree source.
constexpr std::string_view kInTree[] = {"kubernetes.io/aws-ebs", "kubernetes.io/gce-pd",
                                        "kubernetes.io/cinder", "kubernetes.io/azure-disk",
                                        "kubernetes.io/portworx-volume"};

bool has(uint32_t flags, uint32_t flag) { return (flags & flag) != 0; }

uint64_t key_of(const berth_claim& claim) {
  return model::claim_key(claim.namespace_name, claim.name);
}

bool is_completed(const berth_claim& claim) { return has(claim.flags, BERTH_CLAIM_BIND_COMPLETED); }

bool is_bound(const berth_claim& claim) { return claim.volume != 0 && is_completed(claim); }

bool names(const berth_volume& volume, const berth_claim& claim) {
  return has(volume.flags, BERTH_VOLUME_HAS_CLAIM) &&
         volume.claim_namespace == claim.namespace_name && volume.claim_name == claim.name &&
         (volume.claim_uid == 0 || volume.claim_uid == claim.uid);
}

// True if the volume can hold the claim at all.
bool suits(const berth_volume& volume, const berth_claim& claim) {
  return volume.storage >= claim.storage && !has(volume.flags, BERTH_VOLUME_TERMINATING) &&
         has(volume.flags, BERTH_VOLUME_BLOCK) == has(claim.flags, BERTH_CLAIM_BLOCK) &&
         volume.attributes_class == claim.attributes_class;
}

bool allows_modes(const berth_volume& volume, const berth_claim& claim) {
  return (claim.access_modes & ~volume.access_modes) == 0;
}

// The value of the label; 0: there is none.
model::StringId label(const model::NodeTable::Node& node, model::StringId key) {
  for (const auto& [name, value] : node.labels)
    if (name == key) return value;
  return 0;
}

template <typename Map, typename Key, typename Value>
void erase_from(Map& map, const Key& key, const Value& value) {
  const auto at = map.find(key);
  if (at == map.end()) return;
  at->second.erase(value);
  if (at->second.empty()) map.erase(at);
}

}  // namespace

std::optional<Time> VolumeController::next() const {
  if (due_.empty()) return std::nullopt;
  return due_.begin()->first.first;
}

void VolumeController::plan(const Item& item, Time at) {
  drop(item);
  const std::pair<Time, uint64_t> place{at, plans_++};
  planned_.emplace(item, place);
  due_.emplace(place, item);
}

void VolumeController::drop(const Item& item) {
  const auto at = planned_.find(item);
  if (at == planned_.end()) return;
  due_.erase(at->second);
  planned_.erase(at);
}

void VolumeController::sort_by_name(std::vector<Claim>& claims) const {
  std::ranges::sort(claims, {}, [&](Claim key) {
    return std::pair(cluster_.text(model::namespace_of_claim(key)),
                     cluster_.text(model::name_of_claim(key)));
  });
}

void VolumeController::plan_waiting(std::map<StringId, std::set<Claim>>& waiting, StringId on,
                                    Time at) {
  const auto found = waiting.extract(on);
  if (found.empty()) return;
  std::vector<Claim> claims(found.mapped().begin(), found.mapped().end());
  sort_by_name(claims);
  for (const Claim claim : claims) plan({false, claim}, at);
}

void VolumeController::changed(const model::VolumeChange& change, Time now) {
  switch (change.kind) {
    case BERTH_ON_CLAIM:
      return claim_changed(static_cast<const berth_claim*>(change.before),
                           static_cast<const berth_claim*>(change.after), now);
    case BERTH_ON_VOLUME:
      return volume_changed(static_cast<const berth_volume*>(change.before),
                            static_cast<const berth_volume*>(change.after), now);
    case BERTH_ON_STORAGE_CLASS:
      if (const auto* of = static_cast<const berth_storage_class*>(change.after))
        plan_waiting(waiting_for_class_, of->name, now + options_.delay);
      return;
    default:
      return;
  }
}

void VolumeController::claim_changed(const berth_claim* before, const berth_claim* after,
                                     Time now) {
  if (before != nullptr) {
    erase_from(waiting_for_class_, before->storage_class, key_of(*before));
    erase_from(waiting_for_volume_, before->volume, key_of(*before));
    erase_from(bound_to_, before->volume, key_of(*before));
    const bool is_another = after != nullptr && after->uid != before->uid;
    if (is_bound(*before) && (after == nullptr || is_another)) leave(*before, now + options_.delay);
  }
  const Item item{false, key_of(after != nullptr ? *after : *before)};
  if (after != nullptr && is_bound(*after)) {
    bound_to_[after->volume].insert(item.key);
    const berth_volume* volume = volumes().written_volume(after->volume);
    if (volume != nullptr && !has_to_be_released(*volume)) drop({true, after->volume});
  }
  if (after != nullptr && !is_settled(*after)) return plan(item, now + options_.delay);
  drop(item);
  failures_.erase(item.key);
}

void VolumeController::leave(const berth_claim& claim, Time at) {
  const berth_volume* volume = volumes().written_volume(claim.volume);
  if (volume == nullptr || !names(*volume, claim)) return;
  left_.insert(claim.volume);
  if (has_to_be_released(*volume)) plan({true, claim.volume}, at);
}

// True if it is bound to a volume that is for it, or Lost for want of one.
bool VolumeController::is_settled(const berth_claim& claim) const {
  if (!is_completed(claim)) return false;
  const berth_volume* volume = claim.volume == 0 ? nullptr : volumes().written_volume(claim.volume);
  if (volume != nullptr && !has(volume->flags, BERTH_VOLUME_HAS_CLAIM)) return false;
  const bool has_it = volume != nullptr && names(*volume, claim);
  return has_it != has(claim.flags, BERTH_CLAIM_LOST);
}

// True if the claim that it names is gone, and something is to be written for that.
bool VolumeController::has_to_be_released(const berth_volume& volume) const {
  if (!has(volume.flags, BERTH_VOLUME_HAS_CLAIM)) return false;
  const berth_claim* claim = volumes().written_claim(volume.claim_namespace, volume.claim_name);
  const bool is_other = claim == nullptr || (claim->uid != 0 && claim->uid != volume.claim_uid);
  const bool is_left = left_.contains(volume.name) || (volume.claim_uid != 0 && is_other);
  if (!is_left) return false;
  return volume.claim_uid == 0 ||
         volumes().reclaim_of_volume(volume.name) != model::Reclaim::kRetain;
}

void VolumeController::plan_bound(StringId volume, Time at) {
  const auto found = bound_to_.find(volume);
  if (found == bound_to_.end()) return;
  std::vector<Claim> claims(found->second.begin(), found->second.end());
  sort_by_name(claims);
  for (const Claim key : claims) {
    const berth_claim* claim =
        volumes().written_claim(model::namespace_of_claim(key), model::name_of_claim(key));
    is_settled(*claim) ? drop({false, key}) : plan({false, key}, at);
  }
}

void VolumeController::forget_volume(StringId name) {
  const auto at = known_.find(name);
  if (at == known_.end()) return;
  if (at->second.claim)
    erase_from(naming_, *at->second.claim, name);
  else
    erase_from(free_, at->second.storage_class, name);
  known_.erase(at);
}

void VolumeController::volume_changed(const berth_volume* before, const berth_volume* after,
                                      Time now) {
  const Time at = now + options_.delay;
  if (before != nullptr) {
    forget_volume(before->name);
    const bool same = after != nullptr && has(after->flags, BERTH_VOLUME_HAS_CLAIM) &&
                      after->claim_namespace == before->claim_namespace &&
                      after->claim_name == before->claim_name &&
                      after->claim_uid == before->claim_uid;
    if (!same) left_.erase(before->name);
  }
  plan_bound((after != nullptr ? after : before)->name, at);
  if (after == nullptr) return drop({true, before->name});
  plan_waiting(waiting_for_volume_, after->name, at);
  if (!has(after->flags, BERTH_VOLUME_HAS_CLAIM)) {
    known_[after->name] = {after->storage_class, std::nullopt};
    free_[after->storage_class].insert(after->name);
    if (has(after->flags, BERTH_VOLUME_AVAILABLE))
      plan_waiting(waiting_for_class_, after->storage_class, at);
    else if (!has(after->flags, BERTH_VOLUME_TERMINATING))
      plan({true, after->name}, at);
    return;
  }
  const Claim key = model::claim_key(after->claim_namespace, after->claim_name);
  known_[after->name] = {after->storage_class, key};
  naming_[key].insert(after->name);
  if (has_to_be_released(*after))
    plan({true, after->name}, at);
  else
    drop({true, after->name});
  const berth_claim* claim = volumes().written_claim(after->claim_namespace, after->claim_name);
  if (claim != nullptr && !is_bound(*claim) && names(*after, *claim)) plan({false, key}, at);
}

void VolumeController::run_due(Time now, const Put& put, const Remove& remove) {
  while (!due_.empty() && due_.begin()->first.first <= now) {
    const Item item = due_.begin()->second;
    drop(item);
    item.is_volume ? sync_volume(static_cast<StringId>(item.key), put, remove)
                   : sync_claim(item.key, now, put);
  }
}

void VolumeController::sync_volume(StringId name, const Put& put, const Remove& remove) {
  std::optional<model::PersistentVolume> volume = volumes().volume_object(name);
  if (!volume || volume->terminating) return;
  if (has_to_be_released(*volumes().written_volume(name)))
    return release(std::move(*volume), put, remove);
  if (volume->has_claim || volume->available) return;
  volume->available = true;
  put(*volume);
}

void VolumeController::release(model::PersistentVolume volume, const Put& put,
                               const Remove& remove) {
  switch (volume.reclaim) {
    case model::Reclaim::kDelete:
      return remove(volume);
    case model::Reclaim::kRecycle:
      volume.has_claim = false;
      volume.claim_namespace.clear();
      volume.claim_name.clear();
      volume.claim_uid.clear();
      volume.available = true;
      return put(volume);
    case model::Reclaim::kRetain:
      volume.claim_uid = kReleased;
      return put(volume);
  }
}

void VolumeController::sync_bound(const berth_claim& claim, const Put& put) {
  const berth_volume* volume = claim.volume == 0 ? nullptr : volumes().written_volume(claim.volume);
  if (volume != nullptr && !has(volume->flags, BERTH_VOLUME_HAS_CLAIM))
    return bind(volume->name, key_of(claim), put);
  model::PersistentVolumeClaim object = *volumes().claim_object(claim.namespace_name, claim.name);
  object.lost = volume == nullptr || !names(*volume, claim);
  put(object);
}

// The volume that is for the claim; null: none yet.
const berth_volume* VolumeController::volume_of(const berth_claim& claim, bool waits) const {
  if (claim.volume != 0) {
    const berth_volume* named = volumes().written_volume(claim.volume);
    if (named == nullptr || names(*named, claim)) return named;
    const bool is_free = !has(named->flags, BERTH_VOLUME_HAS_CLAIM);
    return is_free && named->storage_class == claim.storage_class && suits(*named, claim) &&
                   allows_modes(*named, claim)
               ? named
               : nullptr;
  }
  if (const berth_volume* naming = volume_that_names(claim)) return naming;
  return waits ? nullptr : free_volume_for(claim);
}

// By name, whatever the ids of the names are.
const berth_volume* VolumeController::volume_that_names(const berth_claim& claim) const {
  const auto all = naming_.find(key_of(claim));
  if (all == naming_.end()) return nullptr;
  const berth_volume* first = nullptr;
  for (const StringId name : all->second) {
    const berth_volume& one = *volumes().written_volume(name);
    if (!names(one, claim) || !suits(one, claim)) continue;
    if (first == nullptr || cluster_.text(name) < cluster_.text(first->name)) first = &one;
  }
  return first;
}

const berth_volume* VolumeController::free_volume_for(const berth_claim& claim) const {
  const auto of_class = free_.find(claim.storage_class);
  if (of_class == free_.end()) return nullptr;
  const auto rank = [&](const berth_volume& one) {
    return std::make_tuple(std::popcount(one.access_modes), one.storage, cluster_.text(one.name));
  };
  const berth_volume* best = nullptr;
  for (const StringId name : of_class->second) {
    const berth_volume& one = *volumes().written_volume(name);
    if (!has(one.flags, BERTH_VOLUME_AVAILABLE) || !suits(one, claim) ||
        !allows_modes(one, claim) || !volumes().selects(claim, one))
      continue;
    if (best == nullptr || rank(one) < rank(*best)) best = &one;
  }
  return best;
}

void VolumeController::sync_claim(Claim key, Time now, const Put& put) {
  const berth_claim* claim =
      volumes().written_claim(model::namespace_of_claim(key), model::name_of_claim(key));
  if (claim == nullptr || is_settled(*claim)) return;
  if (is_completed(*claim)) return sync_bound(*claim, put);
  const berth_storage_class* of =
      claim->storage_class == 0 ? nullptr : volumes().storage_class(claim->storage_class);
  const bool waits = of != nullptr && has(of->flags, BERTH_CLASS_WAITS);
  if (const berth_volume* volume = volume_of(*claim, waits)) return bind(volume->name, key, put);
  if (claim->volume != 0) {
    waiting_for_volume_[claim->volume].insert(key);
    return;
  }
  if (waits && claim->selected_node == 0) return;
  const bool makes =
      of != nullptr && of->provisioner != 0 && cluster_.text(of->provisioner) != kNoProvisioner;
  if (makes) return provision(*claim, *of, now, put);
  waiting_for_class_[claim->storage_class].insert(key);
}

void VolumeController::bind(StringId name, Claim key, const Put& put) {
  model::PersistentVolumeClaim claim =
      *volumes().claim_object(model::namespace_of_claim(key), model::name_of_claim(key));
  model::PersistentVolume volume = *volumes().volume_object(name);
  claim.volume_name = volume.name;
  claim.bind_completed = true;
  claim.lost = false;
  volume.has_claim = true;
  volume.claim_namespace = claim.namespace_name;
  volume.claim_name = claim.name;
  volume.claim_uid = claim.uid;
  volume.available = false;
  put(volume);
  put(claim);
}

uint64_t VolumeController::draw_of(const berth_claim& claim, uint32_t number) const {
  const std::string name = text(claim.namespace_name) + "/" + text(claim.name);
  return draw(options_.seed, model::Strings::hash(name), number, Purpose::kProvisioning);
}

void VolumeController::provision(const berth_claim& claim, const berth_storage_class& of, Time now,
                                 const Put& put) {
  const Claim key = key_of(claim);
  const auto failed = failures_.find(key);
  const uint32_t failures = failed == failures_.end() ? 0 : failed->second;
  const bool fails = below(draw_of(claim, failures), 100) < options_.failure_percent;
  const bool no_node = claim.selected_node != 0 && node(claim.selected_node) == nullptr;
  if (fails || no_node) return provision_fails(key, now, put);
  const model::PersistentVolume volume = new_volume(claim, of);
  model::PersistentVolumeClaim bound =
      *volumes().claim_object(model::namespace_of_claim(key), model::name_of_claim(key));
  bound.volume_name = volume.name;
  bound.bind_completed = true;
  put(volume);
  put(bound);
}

void VolumeController::provision_fails(Claim key, Time now, const Put& put) {
  constexpr uint32_t kMostDoublings = 9;
  constexpr Time kLongest = std::chrono::minutes(5);
  const uint32_t before = failures_[key]++;
  model::PersistentVolumeClaim claim =
      *volumes().claim_object(model::namespace_of_claim(key), model::name_of_claim(key));
  if (!claim.has_selected_node) {
    const Time again = std::chrono::seconds(1u << std::min(before, kMostDoublings));
    return plan({false, key}, now + std::min(again, kLongest));
  }
  claim.has_selected_node = false;
  claim.selected_node.clear();
  put(claim);
}

model::PersistentVolume VolumeController::new_volume(const berth_claim& claim,
                                                     const berth_storage_class& of) const {
  const model::PersistentVolumeClaim asked =
      *volumes().claim_object(claim.namespace_name, claim.name);
  const std::string provisioner = text(of.provisioner);
  model::PersistentVolume volume;
  if (asked.uid.empty()) {
    const uint64_t high = model::Strings::hash(asked.namespace_name + "/" + asked.name);
    const uint64_t low = mix(high);
    volume.name = fmt::format("pvc-{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32,
                              high >> 16 & 0xffff, high & 0xffff, low >> 48, low & 0xffffffffffff);
  } else {
    volume.name = "pvc-" + asked.uid;
  }
  volume.has_claim = true;
  volume.claim_namespace = asked.namespace_name;
  volume.claim_name = asked.name;
  volume.claim_uid = asked.uid;
  volume.storage_class = asked.storage_class;
  volume.attributes_class = asked.attributes_class;
  volume.access_modes = asked.access_modes;
  volume.storage = claim.storage;
  volume.block = asked.block;
  volume.reclaim = volumes().reclaim_of_class(of.name);
  model::NodeSelectorTerm reach = topology(claim, of);
  if (!reach.match_expressions.empty())
    volume.node_affinity = model::NodeSelector{{std::move(reach)}};
  if (std::ranges::find(kInTree, provisioner) != std::end(kInTree)) {
    volume.plugin = provisioner;
    volume.plugin_handle = volume.name;
  } else if (!provisioner.starts_with("kubernetes.io/")) {
    volume.csi_driver = provisioner;
    volume.csi_handle = volume.name;
  }
  return volume;
}

const model::NodeTable::Node* VolumeController::node(StringId name) const {
  const model::Slot slot = cluster_.nodes().find(name);
  if (slot == model::kNoSlot || !cluster_.nodes().node(slot).present) return nullptr;
  return &cluster_.nodes().node(slot);
}

model::NodeSelectorTerm VolumeController::topology(const berth_claim& claim,
                                                   const berth_storage_class& of) const {
  const model::NodeTable::Node* on = claim.selected_node == 0 ? nullptr : node(claim.selected_node);
  if (on == nullptr) return drawn_topology(claim, of);
  model::NodeSelectorTerm made;
  const auto add = [&](StringId key) {
    if (const StringId value = key == 0 ? 0 : label(*on, key); value != 0)
      made.match_expressions.push_back({text(key), "In", {text(value)}});
  };
  for (const StringId key : volumes().topology_keys(on->name, of.provisioner)) add(key);
  if (!made.match_expressions.empty()) return made;
  const auto agrees = [&](const model::Requirement& one) {
    const StringId key = cluster_.strings().find(one.key);
    const StringId value = key == 0 ? 0 : label(*on, key);
    return value != 0 && std::ranges::find(one.values, cluster_.text(value)) != one.values.end();
  };
  for (const model::NodeSelectorTerm& term : volumes().allowed_topologies(of.name)) {
    if (!std::ranges::all_of(term.match_expressions, agrees)) continue;
    for (const model::Requirement& one : term.match_expressions)
      add(cluster_.strings().find(one.key));
    break;
  }
  return made;
}

model::NodeSelectorTerm VolumeController::drawn_topology(const berth_claim& claim,
                                                         const berth_storage_class& of) const {
  uint32_t draws = UINT32_MAX;  // failures count from 0
  const auto pick = [&](size_t count) { return below(draw_of(claim, draws--), count); };
  model::NodeSelectorTerm made;
  const auto terms = volumes().allowed_topologies(of.name);
  if (!terms.empty()) {
    for (const model::Requirement& one : terms[pick(terms.size())].match_expressions)
      if (!one.values.empty())
        made.match_expressions.push_back({one.key, "In", {one.values[pick(one.values.size())]}});
    return made;
  }
  std::vector<const model::NodeTable::Node*> nodes;
  for (const berth_csi_node* at = volumes().next(static_cast<const berth_csi_node*>(nullptr));
       at != nullptr; at = volumes().next(at)) {
    const auto* values = node(at->name);
    if (values != nullptr && !volumes().topology_keys(at->name, of.provisioner).empty())
      nodes.push_back(values);
  }
  if (nodes.empty()) return made;
  std::ranges::sort(nodes, {}, [&](const auto* one) { return cluster_.text(one->name); });
  const auto& drawn = *nodes[pick(nodes.size())];
  for (const StringId key : volumes().topology_keys(drawn.name, of.provisioner))
    if (const StringId value = label(drawn, key); value != 0)
      made.match_expressions.push_back({text(key), "In", {text(value)}});
  return made;
}

}  // namespace berth::played
