#include "engine/model/volumes/volumes.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::model {
namespace {

uint32_t mode_bits(const std::vector<std::string>& modes) {
  uint32_t bits = 0;
  for (const std::string& mode : modes) {
    if (mode == "ReadWriteOnce") bits |= BERTH_READ_WRITE_ONCE;
    if (mode == "ReadOnlyMany") bits |= BERTH_READ_ONLY_MANY;
    if (mode == "ReadWriteMany") bits |= BERTH_READ_WRITE_MANY;
    if (mode == "ReadWriteOncePod") bits |= BERTH_READ_WRITE_ONCE_POD;
  }
  return bits;
}

// A label selector over the labels of nodes, as a term of a node selector. Not for an empty one,
// which matches every node where an empty term matches none.
NodeSelectorTerm term_of(const LabelSelector& selector) {
  NodeSelectorTerm term;
  for (const auto& [key, value] : selector.match_labels)
    term.match_expressions.push_back({key, "In", {value}});
  for (const Requirement& one : selector.match_expressions) term.match_expressions.push_back(one);
  return term;
}

uint32_t flag(bool set, uint32_t bit) { return set ? bit : 0; }

template <typename Table>
auto next_in(const Table& table, bool first, uint64_t key)
    -> decltype(&table.begin()->second->object) {
  const auto at = first ? table.begin() : table.upper_bound(key);
  return at == table.end() ? nullptr : &at->second->object;
}

// The entry that has this object as its first member that is no base.
template <typename Entry, typename Object>
uint64_t key_of(const std::map<uint64_t, std::unique_ptr<Entry>>& table, const Object* object) {
  const auto at = std::find_if(table.begin(), table.end(),
                               [&](const auto& entry) { return &entry.second->object == object; });
  return at == table.end() ? UINT64_MAX : at->first;
}

}  // namespace

StringId Volumes::keep(Kept& by, std::string_view text) {
  if (text.empty()) return 0;
  const StringId id = strings_.intern_counted(text);
  strings_.retain(id);
  by.strings.push_back(id);
  return id;
}

NodeSelectors::Handle Volumes::keep(Kept& by, const NodeSelector& selector) {
  const NodeSelectors::Handle handle = selectors_.of_selector(selector);
  selectors_.retain(handle);
  by.selectors.push_back(handle);
  return handle;
}

void Volumes::release(const Kept& by) {
  for (const StringId id : by.strings) strings_.release(id);
  for (const auto handle : by.selectors) selectors_.release(handle);
  for (const auto handle : by.label_selectors) label_selectors_.release(handle);
}

void Volumes::release(const Assumable& by) {
  release(static_cast<const Kept&>(by));
  for (const StringId id : by.assumed_strings) strings_.release(id);
}

template <typename Entry>
VolumeChange Volumes::store(Table<Entry>& table, uint64_t key, std::unique_ptr<Entry> entry) {
  std::unique_ptr<Entry>& place = table[key];
  std::swap(place, entry);
  ++version_;
  VolumeChange change{Entry::kKind, nullptr, &place->object, nullptr};
  if (entry == nullptr) return change;
  release(*entry);
  change.before = &entry->object;
  change.kept = std::move(entry);
  return change;
}

template <typename Entry>
std::optional<VolumeChange> Volumes::drop(Table<Entry>& table, uint64_t key) {
  const auto at = table.find(key);
  if (at == table.end()) return std::nullopt;
  release(*at->second);
  VolumeChange change{Entry::kKind, &at->second->object, nullptr, std::move(at->second)};
  table.erase(at);
  ++version_;
  return change;
}

VolumeChange Volumes::put(const VolumeObject& object) {
  return std::visit([&](const auto& one) { return put_one(one); }, object);
}

VolumeChange Volumes::put_one(const PersistentVolumeClaim& object) {
  auto made = std::make_unique<Claim>();
  berth_claim& claim = made->object;
  claim.size = sizeof claim;
  claim.namespace_name = keep(*made, object.namespace_name);
  claim.name = keep(*made, object.name);
  claim.uid = keep(*made, object.uid);
  claim.owner_uid = keep(*made, object.owner_uid);
  claim.volume = keep(*made, object.volume_name);
  claim.storage_class = keep(*made, object.storage_class);
  claim.selected_node = keep(*made, object.selected_node);
  if (object.has_selected_node && object.selected_node.empty()) {
    // No node has an empty name: the text has an id, so that it is told from none.
    claim.selected_node = strings_.intern("");
  }
  claim.access_modes = mode_bits(object.access_modes);
  claim.attributes_class = keep(*made, object.attributes_class);
  claim.storage = object.storage.value_or(0);
  const uint64_t key = claim_key(claim.namespace_name, claim.name);
  claim.flags = flag(object.bind_completed, BERTH_CLAIM_BIND_COMPLETED) |
                flag(object.lost, BERTH_CLAIM_LOST) |
                flag(object.terminating, BERTH_CLAIM_TERMINATING) |
                flag(object.block, BERTH_CLAIM_BLOCK) |
                flag(object.storage.has_value(), BERTH_CLAIM_HAS_STORAGE) |
                flag(users(key).seen != 0, BERTH_CLAIM_USED);
  if (object.selector) {
    made->selector = label_selectors_.of(object.selector);
    label_selectors_.retain(made->selector);
    made->label_selectors.push_back(made->selector);
    made->spelled = std::make_unique<const LabelSelector>(*object.selector);
  }
  return store(claims_, key, std::move(made));
}

VolumeChange Volumes::put_one(const PersistentVolume& object) {
  auto made = std::make_unique<Volume>();
  berth_volume& volume = made->object;
  volume.size = sizeof volume;
  volume.name = keep(*made, object.name);
  volume.flags = flag(object.available, BERTH_VOLUME_AVAILABLE) |
                 flag(object.terminating, BERTH_VOLUME_TERMINATING) |
                 flag(object.block, BERTH_VOLUME_BLOCK) |
                 flag(object.has_claim, BERTH_VOLUME_HAS_CLAIM);
  volume.claim_namespace = keep(*made, object.claim_namespace);
  volume.claim_name = keep(*made, object.claim_name);
  volume.claim_uid = keep(*made, object.claim_uid);
  volume.storage_class = keep(*made, object.storage_class);
  volume.access_modes = mode_bits(object.access_modes);
  volume.attributes_class = keep(*made, object.attributes_class);
  if (object.node_affinity) {
    volume.node_affinity = keep(*made, *object.node_affinity);
    made->spelled = std::make_unique<const NodeSelector>(*object.node_affinity);
  }
  volume.csi_driver = keep(*made, object.csi_driver);
  volume.csi_handle = keep(*made, object.csi_handle);
  volume.plugin = keep(*made, object.plugin);
  volume.plugin_handle = keep(*made, object.plugin_handle);
  volume.storage = object.storage;
  made->reclaim = object.reclaim;
  for (const auto& [key, value] : object.labels) {
    const StringId id = strings_.intern_counted(key);
    strings_.retain(id);
    made->strings.push_back(id);
    const StringId text = strings_.intern_counted(value);
    strings_.retain(text);
    made->strings.push_back(text);
    made->labels.emplace_back(id, text);
  }
  std::sort(made->labels.begin(), made->labels.end());
  for (const auto& [id, text] : made->labels)
    made->label_texts.insert(made->label_texts.end(), {id, text});
  volume.labels = made->label_texts.data();
  volume.label_count = static_cast<uint32_t>(made->labels.size());
  const uint64_t key = volume.name;
  return store(volumes_, key, std::move(made));
}

VolumeChange Volumes::put_one(const StorageClass& object) {
  auto made = std::make_unique<Class>();
  berth_storage_class& to = made->object;
  to.size = sizeof to;
  to.flags = flag(object.has_binding_mode, BERTH_CLASS_HAS_BINDING_MODE) |
             flag(object.waits, BERTH_CLASS_WAITS);
  to.name = keep(*made, object.name);
  to.provisioner = keep(*made, object.provisioner);
  if (!object.allowed_topologies.empty())
    to.allowed_topologies = keep(*made, NodeSelector{object.allowed_topologies});
  made->allowed_topologies = object.allowed_topologies;
  made->reclaim = object.reclaim;
  const uint64_t key = to.name;
  return store(classes_, key, std::move(made));
}

VolumeChange Volumes::put_one(const CsiNode& object) {
  auto made = std::make_unique<NodeEntry>();
  berth_csi_node& to = made->object;
  to.size = sizeof to;
  to.name = keep(*made, object.name);
  to.migrated_plugins = keep(*made, object.migrated_plugins);
  for (const CsiNode::Driver& driver : object.drivers) {
    made->drivers.push_back(keep(*made, driver.name));
    made->limits.push_back(driver.count.value_or(-1));
    std::vector<StringId>& keys = made->topology_keys.emplace_back();
    for (const std::string& key : driver.topology_keys) keys.push_back(keep(*made, key));
  }
  to.driver_count = static_cast<uint32_t>(made->drivers.size());
  to.drivers = made->drivers.data();
  to.limits = made->limits.data();
  const uint64_t key = to.name;
  return store(nodes_, key, std::move(made));
}

VolumeChange Volumes::put_one(const CsiDriver& object) {
  auto made = std::make_unique<Driver>();
  berth_csi_driver& to = made->object;
  to.size = sizeof to;
  to.name = keep(*made, object.name);
  to.storage_capacity = object.storage_capacity ? 1 : 0;
  const uint64_t key = to.name;
  return store(drivers_, key, std::move(made));
}

VolumeChange Volumes::put_one(const CsiStorageCapacity& object) {
  auto made = std::make_unique<Capacity>();
  berth_csi_capacity& to = made->object;
  to.size = sizeof to;
  to.storage_class = keep(*made, object.storage_class);
  to.flags = flag(object.limit.has_value(), BERTH_CAPACITY_HAS_LIMIT);
  to.limit = object.limit.value_or(0);
  to.capacity = object.capacity.value_or(0);
  if (object.node_topology) {
    const NodeSelectorTerm term = term_of(*object.node_topology);
    if (term.match_expressions.empty())
      to.flags |= BERTH_CAPACITY_EVERYWHERE;
    else
      to.topology = keep(*made, NodeSelector{{term}});
  }
  made->key = claim_key(keep(*made, object.namespace_name), keep(*made, object.name));
  const uint64_t key = made->key;
  return store(capacities_, key, std::move(made));
}

VolumeChange Volumes::put_one(const VolumeAttachment& object) {
  auto made = std::make_unique<Attachment>();
  berth_volume_attachment& to = made->object;
  to.size = sizeof to;
  to.attacher = keep(*made, object.attacher);
  to.node_name = keep(*made, object.node_name);
  to.volume = keep(*made, object.volume_name);
  made->key = keep(*made, object.name);
  const uint64_t key = made->key;
  return store(attachments_, key, std::move(made));
}

std::optional<VolumeChange> Volumes::remove(const VolumeObject& object) {
  return std::visit(
      [&](const auto& one) {
        using T = std::decay_t<decltype(one)>;
        const StringId name = strings_.find(one.name);
        if constexpr (std::is_same_v<T, PersistentVolumeClaim>)
          return drop(claims_, claim_key(strings_.find(one.namespace_name), name));
        else if constexpr (std::is_same_v<T, PersistentVolume>)
          return drop(volumes_, name);
        else if constexpr (std::is_same_v<T, StorageClass>)
          return drop(classes_, name);
        else if constexpr (std::is_same_v<T, CsiNode>)
          return drop(nodes_, name);
        else if constexpr (std::is_same_v<T, CsiDriver>)
          return drop(drivers_, name);
        else if constexpr (std::is_same_v<T, CsiStorageCapacity>)
          return drop(capacities_, claim_key(strings_.find(one.namespace_name), name));
        else
          return drop(attachments_, name);
      },
      object);
}

uint64_t Volumes::size() const {
  return claims_.size() + volumes_.size() + classes_.size() + nodes_.size() + drivers_.size() +
         capacities_.size() + attachments_.size();
}

const berth_claim* Volumes::claim(StringId namespace_name, StringId name) const {
  const auto* found = find_in(claims_, claim_key(namespace_name, name));
  return found == nullptr ? nullptr : &found->object;
}
const berth_volume* Volumes::volume(StringId name) const {
  const auto* found = find_in(volumes_, name);
  return found == nullptr ? nullptr : &found->object;
}
const berth_storage_class* Volumes::storage_class(StringId name) const {
  const auto* found = find_in(classes_, name);
  return found == nullptr ? nullptr : &found->object;
}
const berth_csi_driver* Volumes::csi_driver(StringId name) const {
  const auto* found = find_in(drivers_, name);
  return found == nullptr ? nullptr : &found->object;
}

const berth_claim* Volumes::next(const berth_claim* after) const {
  const bool first = after == nullptr;
  return next_in(claims_, first, first ? 0 : claim_key(after->namespace_name, after->name));
}
const berth_volume* Volumes::next(const berth_volume* after) const {
  return next_in(volumes_, after == nullptr, after == nullptr ? 0 : after->name);
}
const berth_csi_node* Volumes::next(const berth_csi_node* after) const {
  return next_in(nodes_, after == nullptr, after == nullptr ? 0 : after->name);
}
const berth_csi_capacity* Volumes::next(const berth_csi_capacity* after) const {
  return next_in(capacities_, after == nullptr, key_of(capacities_, after));
}
const berth_volume_attachment* Volumes::next(const berth_volume_attachment* after) const {
  return next_in(attachments_, after == nullptr, key_of(attachments_, after));
}

Reclaim Volumes::reclaim_of_volume(StringId name) const { return volumes_.at(name)->reclaim; }
Reclaim Volumes::reclaim_of_class(StringId name) const { return classes_.at(name)->reclaim; }

std::span<const NodeSelectorTerm> Volumes::allowed_topologies(StringId storage_class) const {
  const auto* found = find_in(classes_, storage_class);
  if (found == nullptr) return {};
  return found->allowed_topologies;
}
std::span<const StringId> Volumes::topology_keys(StringId node, StringId driver) const {
  const auto* found = find_in(nodes_, node);
  if (found == nullptr) return {};
  const auto at = std::find(found->drivers.begin(), found->drivers.end(), driver);
  if (at == found->drivers.end()) return {};
  return found->topology_keys[static_cast<size_t>(at - found->drivers.begin())];
}

bool Volumes::selects(const berth_claim& claim, const berth_volume& volume) const {
  const auto* by = find_in(claims_, claim_key(claim.namespace_name, claim.name));
  const auto* of = find_in(volumes_, volume.name);
  if (by == nullptr || of == nullptr) return false;
  return label_selectors_.matches(by->selector, of->labels);
}

void Volumes::use(uint64_t claim, bool is_owner, bool add) {
  Users& users = users_[claim];
  uint64_t& count = is_owner ? users.as_owner : users.by_name;
  BERTH_ASSERT(add || count != 0);
  count += add ? 1 : UINT64_MAX;
  if (users.any()) return;
  users_.erase(claim);
  const auto* found = find_in(claims_, claim);
  if (found != nullptr && (found->object.flags & BERTH_CLAIM_TERMINATING) != 0)
    unused_.push_back(claim);
}

// Only pods that have a claim to themselves look at its users.
void Volumes::see(uint64_t claim, bool add) {
  uint64_t& seen = users_[claim].seen;
  BERTH_ASSERT(add || seen != 0);
  seen += add ? 1 : UINT64_MAX;
  auto* found = find_in(claims_, claim);
  if (found == nullptr || seen != (add ? 1 : 0)) return;
  found->object.flags ^= BERTH_CLAIM_USED;
  if (found->before) found->before->flags ^= BERTH_CLAIM_USED;
  if ((found->object.access_modes & BERTH_READ_WRITE_ONCE_POD) != 0) ++version_;
}

Volumes::Users Volumes::users(uint64_t claim) const {
  const auto found = users_.find(claim);
  return found == users_.end() ? Users{} : found->second;
}

}  // namespace berth::model
