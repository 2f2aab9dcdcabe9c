#pragma once

// Claims and volumes in use are not deleted: the part of an API server and its controllers that is
// called StorageObjectInUseProtection.
//
// - A claim is in use while a pod with it counts on a node: one that names it, or the one for whose
//   ephemeral volume it was made. A pod without a node does not count; one that is being bound
//   does, which a cluster does not know of yet.
// - A volume is in use while it is bound to its claim.
//
// An object that is to be deleted while it is in use is terminating, so the scheduler refuses pods
// that name such a claim, and it goes once it is not in use any more.
//
// An API server that sends its objects protects them itself. So a deletion is a wish, which is
// protected here, only if its object has no UID: it is no object of a server. A volume's object
// shows that by the UID of its claim.
//
// One thread. Sources: kube-controller-manager volume/pvcprotection, volume/pvprotection.

#include <cstdint>
#include <deque>
#include <optional>
#include <set>

#include "engine/model/cluster/cluster.h"

namespace berth::played {

class StorageProtection {
 public:
  // `cluster` outlives it.
  explicit StorageProtection(const model::Cluster& cluster) : cluster_(cluster) {}

  // To be called with each change of a storage object, after it.
  void changed(const model::VolumeChange& change);
  // Somebody deletes the object, which is as an event has it. Nothing: it goes. Else it stays, and
  // has to be put as it is returned.
  std::optional<model::VolumeObject> stays(const model::VolumeObject& deleted);
  // The owner of the claim, a pod with an ephemeral volume, goes, and the claim with it. As above.
  std::optional<model::VolumeObject> stays_without_owner(const model::PersistentVolumeClaim& claim);

  // Pods left the claim, which is terminating; its key. See Volumes::next_unused.
  void unused(uint64_t claim) { check_.push_back({false, claim}); }
  // Takes the next object that was to be deleted and is not in use any more, for the caller to
  // remove it. Nothing: there is none.
  std::optional<model::VolumeObject> next_to_remove();

 private:
  struct Item {
    bool is_volume = false;
    uint64_t key = 0;  // name of a volume, key of a claim
    auto operator<=>(const Item&) const = default;
  };

  std::optional<model::VolumeObject> object(const Item& item) const;
  // Marks the object, which is there.
  model::VolumeObject terminating(const Item& item);
  bool in_use(const Item& item) const;
  const model::Volumes& volumes() const { return cluster_.volumes(); }

  const model::Cluster& cluster_;
  std::set<Item> going_;    // terminating objects that are to be removed here
  std::deque<Item> check_;  // items that may be unused now, and may be gone
};

}  // namespace berth::played
