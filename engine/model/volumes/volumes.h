#pragma once

// The objects of storage: claims, volumes, classes, CSI nodes, drivers, capacities, attachments.
// Holds each as the struct that plugins read (berth/abi/volumes.h), with interned texts.
//
// Assumptions. A scheduler decides for a pod which volume a claim gets, or on which node its volume
// is made, before it writes that. Until then the object is assumed: all hooks see it with what was
// decided, and what the API server has of it is the written object. An assumption has the pods that
// made it and ends when the last of them takes it back, or when the object is put: then the API
// server knows better. Source: kube-scheduler util/assumecache.

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/abi/enqueue.h"
#include "berth/abi/volumes.h"
#include "engine/model/columns/strings.h"
#include "engine/model/objects/labels.h"
#include "engine/model/objects/volume_objects.h"
#include "engine/model/selectors/label_selectors.h"
#include "engine/model/selectors/node_selectors.h"

namespace berth::model {

// A claim's key, and the form in which pods and nodes list claims.
inline uint64_t claim_key(StringId namespace_name, StringId name) {
  return uint64_t{namespace_name} << 32 | name;
}
// Its parts. `name_of_claim` gives the name of an object without a namespace from its own key, too.
inline StringId namespace_of_claim(uint64_t key) { return static_cast<StringId>(key >> 32); }
inline StringId name_of_claim(uint64_t key) { return static_cast<StringId>(key); }

// The outcome for an object.
struct VolumeChange {
  uint32_t kind = 0;  // BERTH_ON_ bit of berth/abi/enqueue.h
  // The struct of that kind. Null: the object was added, or is gone. `before` is valid as long as
  // `kept`, its ids until the next Cluster::collect.
  const void* before = nullptr;
  const void* after = nullptr;
  std::shared_ptr<const void> kept;
};

// One thread changes it; any thread may read while nobody does. Retains its strings and selectors.
// Pointers to entries are valid until the object is put again or removed.
class Volumes {
 public:
  Volumes(Strings& strings, NodeSelectors& selectors, LabelSelectors& label_selectors)
      : strings_(strings), selectors_(selectors), label_selectors_(label_selectors) {}

  // Adds the object, or replaces the one of its kind and name, what was assumed of it included.
  VolumeChange put(const VolumeObject& object);
  // Nothing: there is none of its kind and name; its other fields are not read.
  std::optional<VolumeChange> remove(const VolumeObject& object);
  uint64_t size() const;
  // Differs whenever an answer of a function below may.
  uint64_t version() const { return version_; }

  const berth_claim* claim(StringId namespace_name, StringId name) const;
  const berth_volume* volume(StringId name) const;
  const berth_storage_class* storage_class(StringId name) const;
  const berth_csi_driver* csi_driver(StringId name) const;
  // The first (after = null), the next, null after the last.
  const berth_claim* next(const berth_claim* after) const;
  const berth_volume* next(const berth_volume* after) const;
  const berth_csi_node* next(const berth_csi_node* after) const;
  const berth_csi_capacity* next(const berth_csi_capacity* after) const;
  const berth_volume_attachment* next(const berth_volume_attachment* after) const;
  bool selects(const berth_claim& claim, const berth_volume& volume) const;

  // The objects as the API server has them.
  const berth_claim* written_claim(StringId namespace_name, StringId name) const;
  const berth_volume* written_volume(StringId name) const;
  std::optional<PersistentVolumeClaim> claim_object(StringId namespace_name, StringId name) const;
  std::optional<PersistentVolume> volume_object(StringId name) const;
  // Empty: none, or there is no such object. Valid until the object is put or removed.
  std::span<const NodeSelectorTerm> allowed_topologies(StringId storage_class) const;
  // The reclaim policy of the volume, and that of the volumes which the class provisions. Requires:
  // the volume, or the class, exists.
  Reclaim reclaim_of_volume(StringId name) const;
  Reclaim reclaim_of_class(StringId name) const;
  // Labels that tell the topology of the node to a driver. Empty also without such a CSINode.
  std::span<const StringId> topology_keys(StringId node, StringId driver) const;

  // The volume is for the claim; the claim's volume is made for the node. `pod` is a handle. False:
  // there is no such object. An object that is written so already needs no assumption; one that is
  // assumed otherwise is assumed so by this pod alone from now on.
  bool assume_volume(uint64_t pod, StringId volume, const berth_claim& claim);
  bool assume_claim(uint64_t pod, StringId namespace_name, StringId name, StringId node);
  // The pod takes back what it assumed of the object, if it did.
  void forget_volume(uint64_t pod, StringId volume);
  void forget_claim(uint64_t pod, StringId namespace_name, StringId name);
  // Sends what the pod assumed to the API server. False: the pod assumes that no longer, since the
  // object changed or is gone. True without effect if it is written so already.
  bool write_volume(uint64_t pod, StringId volume, const berth_claim& claim);
  bool write_claim(uint64_t pod, StringId namespace_name, StringId name, StringId node);
  // Takes the next object that was sent, as it has to be put. Nothing: there is none.
  std::optional<VolumeObject> next_write();
  uint64_t assumed() const;  // objects that are assumed, for tests and audits

  // Pods with the claim that count on a node, whether it exists or not: those that name it, and the
  // owner of an ephemeral volume.
  struct Users {
    uint64_t by_name = 0, as_owner = 0;
    uint64_t seen = 0;  // of by_name: those on nodes that exist, which scheduling sees
    bool any() const { return by_name + as_owner != 0; }
  };
  // Such a pod counts on a node, or does no longer.
  void use(uint64_t claim, bool is_owner, bool add);
  // A pod that names the claim counts on a node that exists, or does no longer. Called after use()
  // if a pod comes, and before it if one goes. Source: kube-scheduler cache/snapshot.go usedPVCSet.
  void see(uint64_t claim, bool add);
  Users users(uint64_t claim) const;
  // Takes the key of a claim that is terminating and lost its last user; nothing: there is none.
  // The claim may be gone.
  std::optional<uint64_t> next_unused() {
    if (unused_.empty()) return std::nullopt;
    const uint64_t claim = unused_.back();
    unused_.pop_back();
    return claim;
  }

 private:
  // The ids that an entry retains.
  struct Kept {
    std::vector<StringId> strings;
    std::vector<NodeSelectors::Handle> selectors;
    std::vector<LabelSelectors::Handle> label_selectors;
  };
  struct Assumable : Kept {
    std::vector<StringId> assumed_strings;  // retained
    std::vector<uint64_t> assumed_by;       // pods; empty: the object is as it was written
  };
  struct Claim : Assumable {
    static constexpr uint32_t kKind = BERTH_ON_CLAIM;
    berth_claim object{};
    std::optional<berth_claim> before;  // the written object, of one that is assumed
    LabelSelectors::Handle selector = LabelSelectors::kEverything;
    std::unique_ptr<const LabelSelector> spelled;  // the selector; null: none
  };
  struct Volume : Assumable {
    static constexpr uint32_t kKind = BERTH_ON_VOLUME;
    berth_volume object{};
    std::optional<berth_volume> before;
    std::unique_ptr<const NodeSelector> spelled;  // the node affinity; null: none
    Reclaim reclaim = Reclaim::kRetain;
    Labels labels;
    std::vector<uint32_t> label_texts;  // the same, for berth_volume.labels
  };
  struct Class : Kept {
    static constexpr uint32_t kKind = BERTH_ON_STORAGE_CLASS;
    berth_storage_class object{};
    Reclaim reclaim = Reclaim::kDelete;
    std::vector<NodeSelectorTerm> allowed_topologies;
  };
  struct NodeEntry : Kept {
    static constexpr uint32_t kKind = BERTH_ON_CSI_NODE;
    berth_csi_node object{};
    std::vector<uint32_t> drivers;
    std::vector<int64_t> limits;
    std::vector<std::vector<StringId>> topology_keys;  // in step
  };
  struct Driver : Kept {
    static constexpr uint32_t kKind = BERTH_ON_CSI_DRIVER;
    berth_csi_driver object{};
  };
  struct Capacity : Kept {
    static constexpr uint32_t kKind = BERTH_ON_CSI_CAPACITY;
    berth_csi_capacity object{};
    uint64_t key = 0;
  };
  struct Attachment : Kept {
    static constexpr uint32_t kKind = BERTH_ON_VOLUME_ATTACHMENT;
    berth_volume_attachment object{};
    uint64_t key = 0;
  };
  template <typename Entry>
  using Table = std::map<uint64_t, std::unique_ptr<Entry>>;
  template <typename Entry>
  static Entry* find_in(const Table<Entry>& table, uint64_t key) {  // null: there is none
    const auto at = table.find(key);
    return at == table.end() ? nullptr : at->second.get();
  }
  // The message about one object. Its ids are those of the assumption.
  struct Write {
    bool is_volume = false;
    uint64_t key = 0;
    StringId node = 0;                                            // of a claim
    StringId claim_namespace = 0, claim_name = 0, claim_uid = 0;  // of a volume
  };

  StringId keep(Kept& by, std::string_view text);  // 0: empty
  NodeSelectors::Handle keep(Kept& by, const NodeSelector& selector);
  void release(const Kept& by);
  void release(const Assumable& by);
  template <typename Entry>
  void assume_anew(Entry& entry, std::initializer_list<StringId> strings);
  template <typename Entry>
  void forget(Entry* entry, uint64_t pod);
  std::string string(StringId id) const { return std::string(strings_.text(id)); }
  template <typename Entry>
  VolumeChange store(Table<Entry>& table, uint64_t key, std::unique_ptr<Entry> entry);
  template <typename Entry>
  std::optional<VolumeChange> drop(Table<Entry>& table, uint64_t key);

  VolumeChange put_one(const PersistentVolumeClaim& object);
  VolumeChange put_one(const PersistentVolume& object);
  VolumeChange put_one(const StorageClass& object);
  VolumeChange put_one(const CsiNode& object);
  VolumeChange put_one(const CsiDriver& object);
  VolumeChange put_one(const CsiStorageCapacity& object);
  VolumeChange put_one(const VolumeAttachment& object);

  Strings& strings_;
  NodeSelectors& selectors_;
  LabelSelectors& label_selectors_;
  Table<Claim> claims_;
  Table<Volume> volumes_;
  Table<Class> classes_;
  Table<NodeEntry> nodes_;
  Table<Driver> drivers_;
  Table<Capacity> capacities_;
  Table<Attachment> attachments_;
  std::map<uint64_t, Users> users_;  // of claims; some each
  std::vector<uint64_t> unused_;     // of next_unused()
  std::deque<Write> writes_;
  uint64_t version_ = 1;
};

}  // namespace berth::model
