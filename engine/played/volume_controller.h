#pragma once

// Binds and provisions volumes where no cluster does: the part of kube-controller-manager's
// PersistentVolume controller and of the provisioners that a scheduler waits for.
//
// It hears of each storage object that is put or removed, and puts objects in turn:
//
// - A volume without a claim becomes Available.
// - A claim that names a volume, or that a volume names, is bound to it. So are the volumes that
// the
//   scheduler chose: it writes the claim to the volume.
// - A claim of a class that binds immediately, or without a class, is bound to the smallest
//   available volume that suits it.
// - A claim that finds none, and whose class has a provisioner, gets a new volume: at once if the
//   class binds immediately, else when the scheduler has selected a node.
//
// A new volume is called pvc-UID after its claim, has the size of the request and is bound. Nodes
// reach it as CSI drivers say: those that agree with the selected node in the topology keys of the
// driver on that node (CSINode), or else in the keys of the class's allowedTopologies. Without a
// selected node, a topology is drawn. Without keys all nodes reach it.
//
// - A claim that is bound to a volume that does not exist, or that names another claim, is Lost. It
//   is not Lost any more once that volume is there and names it, or names none.
// - A volume whose claim is deleted is released: it stays and is for nobody (Retain), goes
// (Delete),
//   or becomes Available (Recycle). Provisioned volumes have the policy of their class.
//
// A volume names its claim by namespace, name and UID. A reference without a UID is to any claim of
// its name, until a claim that was bound to the volume is deleted.
//
// A share of the provisionings fails, drawn from the seed. Then the selected node is taken from the
// claim, which tells the scheduler to choose anew; a claim of an immediate class is tried again
// after 1 s, 2 s, 4 s, up to 5 minutes.
//
// Claims and volumes in use are protected by StorageProtection.
//
// Writes depend on the objects, the order and times of their changes, and the seed alone. One
// thread. Sources: kube-controller-manager volume/persistentvolume (pv_controller.go, index.go),
// component-helpers storage/volume (FindMatchingVolume), external-provisioner (topology.go).

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/time.h"
#include "engine/model/cluster/cluster.h"
#include "engine/runtime/clock.h"

namespace berth::played {

struct VolumeControllerOptions {
  // From the latest change that lets an object be written to that write.
  Time delay = std::chrono::seconds(1);
  uint32_t failure_percent = 0;  // of provisionings, 100 at most
  uint64_t seed = 0;
};

class VolumeController {
 public:
  // Puts the object and calls changed(); removes the one of its kind and name and calls changed().
  using Put = std::function<void(const model::VolumeObject&)>;
  using Remove = Put;

  // `cluster` outlives it.
  VolumeController(const model::Cluster& cluster, const VolumeControllerOptions& options)
      : cluster_(cluster), options_(options) {}

  // To be called with each change of a storage object, after it.
  void changed(const model::VolumeChange& change, Time now);
  // When the next write may be due; nothing: nothing is to be done.
  std::optional<Time> next() const;
  // Writes what is due.
  void run_due(Time now, const Put& put, const Remove& remove);

 private:
  using StringId = model::StringId;
  using Claim = uint64_t;  // model::claim_key
  struct Item {
    bool is_volume = false;
    uint64_t key = 0;  // name of a volume, key of a claim
    auto operator<=>(const Item&) const = default;
  };
  struct Known {  // of a volume, as it was written
    StringId storage_class = 0;
    std::optional<Claim> claim;  // that it names
  };

  void claim_changed(const berth_claim* before, const berth_claim* after, Time now);
  void volume_changed(const berth_volume* before, const berth_volume* after, Time now);
  void forget_volume(StringId name);
  // The claim, which was bound, is gone.
  void leave(const berth_claim& claim, Time at);
  // Plans what there is to do for claims that are bound to the volume, now that it changed.
  void plan_bound(StringId volume, Time at);
  bool is_settled(const berth_claim& claim) const;
  bool has_to_be_released(const berth_volume& volume) const;
  void plan(const Item& item, Time at);  // instead of an earlier plan
  void drop(const Item& item);
  void sort_by_name(std::vector<Claim>& claims) const;
  // Claims that wait for this class or volume.
  void plan_waiting(std::map<StringId, std::set<Claim>>& waiting, StringId on, Time at);

  void sync_volume(StringId name, const Put& put, const Remove& remove);
  void release(model::PersistentVolume volume, const Put& put, const Remove& remove);
  void sync_bound(const berth_claim& claim, const Put& put);
  void sync_claim(Claim key, Time now, const Put& put);
  const berth_volume* volume_of(const berth_claim& claim, bool waits) const;
  const berth_volume* volume_that_names(const berth_claim& claim) const;
  const berth_volume* free_volume_for(const berth_claim& claim) const;
  void bind(StringId volume, Claim key, const Put& put);
  void provision(const berth_claim& claim, const berth_storage_class& of, Time now, const Put& put);
  void provision_fails(Claim key, Time now, const Put& put);
  model::PersistentVolume new_volume(const berth_claim& claim, const berth_storage_class& of) const;
  // Labels of the nodes that reach a new volume; empty: all nodes do.
  model::NodeSelectorTerm topology(const berth_claim& claim, const berth_storage_class& of) const;
  model::NodeSelectorTerm drawn_topology(const berth_claim& claim,
                                         const berth_storage_class& of) const;
  uint64_t draw_of(const berth_claim& claim, uint32_t number) const;
  const model::NodeTable::Node* node(StringId name) const;  // null: there is none
  const model::Volumes& volumes() const { return cluster_.volumes(); }
  std::string text(StringId id) const { return std::string(cluster_.text(id)); }

  const model::Cluster& cluster_;
  VolumeControllerOptions options_;
  std::map<std::pair<Time, uint64_t>, Item> due_;  // by time, then in the order of the plans
  std::map<Item, std::pair<Time, uint64_t>> planned_;
  uint64_t plans_ = 0;
  std::map<StringId, Known> known_;              // volumes
  std::map<StringId, std::set<StringId>> free_;  // volumes that name no claim, by class
  std::map<Claim, std::set<StringId>> naming_;   // volumes by the claim that they name
  std::map<StringId, std::set<Claim>> waiting_for_class_, waiting_for_volume_;
  std::map<StringId, std::set<Claim>> bound_to_;  // claims by the volume that they are bound to
  std::set<StringId> left_;                       // volumes whose claim was bound and is gone
  std::map<Claim, uint32_t> failures_;            // provisionings of the claim that failed
};

}  // namespace berth::played
