#pragma once

// The objects of storage: claims, volumes, classes, CSI nodes, drivers, capacities, attachments.
// Holds each as the struct that plugins read (berth/abi/volumes.h), with interned texts.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/abi/enqueue.h"
#include "berth/abi/volumes.h"
#include "engine/model/objects/labels.h"
#include "engine/model/objects/volume_objects.h"
#include "engine/model/selectors/label_selectors.h"
#include "engine/model/selectors/node_selectors.h"
#include "engine/model/storage/strings.h"

namespace berth::model {

// A claim's key, and the form in which pods and nodes list claims.
inline uint64_t claim_key(StringId namespace_name, StringId name) {
  return uint64_t{namespace_name} << 32 | name;
}

// What became of an object.
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

  // Writes that come before those of an API server. False: there is no such object.
  bool assume_volume(StringId volume, const berth_claim& claim);
  bool assume_claim(StringId namespace_name, StringId name, StringId node);
  void forget_volume(StringId volume);
  void forget_claim(StringId namespace_name, StringId name);

  // A pod that names the claim counts on a node, or does no longer.
  void use(uint64_t claim, bool add);

 private:
  // What an entry retains.
  struct Kept {
    std::vector<StringId> strings;
    std::vector<NodeSelectors::Handle> selectors;
    std::vector<LabelSelectors::Handle> label_selectors;
  };
  struct Claim : Kept {
    static constexpr uint32_t kKind = BERTH_ON_CLAIM;
    berth_claim object{};
    std::optional<berth_claim> before;  // it was assumed
    LabelSelectors::Handle selector = LabelSelectors::kEverything;
  };
  struct Volume : Kept {
    static constexpr uint32_t kKind = BERTH_ON_VOLUME;
    berth_volume object{};
    std::optional<berth_volume> before;
    Labels labels;
    std::vector<uint32_t> label_texts;  // the same, for berth_volume.labels
  };
  struct Class : Kept {
    static constexpr uint32_t kKind = BERTH_ON_STORAGE_CLASS;
    berth_storage_class object{};
  };
  struct NodeEntry : Kept {
    static constexpr uint32_t kKind = BERTH_ON_CSI_NODE;
    berth_csi_node object{};
    std::vector<uint32_t> drivers;
    std::vector<int64_t> limits;
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

  StringId keep(Kept& by, std::string_view text);  // 0: empty
  NodeSelectors::Handle keep(Kept& by, const NodeSelector& selector);
  void release(const Kept& by);
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
  std::map<uint64_t, uint64_t> users_;  // of claims: pods that count on nodes
  uint64_t version_ = 1;
};

}  // namespace berth::model
