#pragma once

// Refuses nodes that can attach no more disks of one in-tree plugin. Former plugins of
// kube-scheduler, here for configurations of v1beta2 and v1beta3 (v1.27 and v1.28,
// plugins/nodevolumelimits/non_csi.go): on nodes with a CSINode, CSI drivers have replaced the
// in-tree plugins, and NodeVolumeLimits counts. The shared objects EBSLimits, GCEPDLimits,
// AzureDiskLimits and CinderLimits differ in their DiskKind alone.
//
// Differences: an allocatable amount of 0 counts as none, and KUBE_MAX_PD_VOLS is not read.

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/volumes.hpp"

namespace berth::plugins {

struct DiskKind {
  std::string_view plugin;     // in-tree: kubernetes.io/aws-ebs
  std::string_view own_limit;  // column of the limit that the node says
  int64_t most = 0;            // of nodes that say none
  int64_t most_of_nitro = 0;   // the same of EC2 instances of the Nitro system
};

inline constexpr DiskKind kEbs = {"kubernetes.io/aws-ebs",
                                  "node.allocatable:attachable-volumes-aws-ebs", 39, 25};
inline constexpr DiskKind kGcePd = {"kubernetes.io/gce-pd",
                                    "node.allocatable:attachable-volumes-gce-pd", 16, 16};
inline constexpr DiskKind kAzureDisk = {"kubernetes.io/azure-disk",
                                        "node.allocatable:attachable-volumes-azure-disk", 16, 16};
inline constexpr DiskKind kCinder = {"kubernetes.io/cinder",
                                     "node.allocatable:attachable-volumes-cinder", 256, 256};

// True for the instance types that kube-scheduler takes for Nitro ones.
bool is_nitro(std::string_view instance_type);

// A disk of the kind: the string id of its handle, or the key of a claim that has no volume yet.
struct Disk {
  bool unbound = false;
  uint64_t handle = 0;
  auto operator<=>(const Disk&) const = default;
};

// As the objects of storage are at one version of the volumes service. Read by all threads.
struct DiskFacts {
  uint64_t version = 0;
  std::unordered_map<uint64_t, Disk> claims;  // those of the kind
  std::unordered_set<uint32_t> csi_nodes;     // names
};

struct WantedDisks {
  std::vector<Disk> disks;  // of the pod, each once, ascending
  std::string missing;      // refuses the pod on every node
  std::shared_ptr<const DiskFacts> facts;
};

class DiskLimitsFilter : public sdk::Filter<WantedDisks> {
 public:
  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, WantedDisks& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;
  void reasons(const Call& call, std::span<uint32_t> reasons) const override;
  void describe(const Call& call, uint32_t reason, const sdk::TextSink& sink) const override;

 protected:
  explicit DiskLimitsFilter(const DiskKind& kind)
      : kind_(kind), own_limit_(*this, kind.own_limit) {}

 private:
  std::shared_ptr<const DiskFacts> facts();
  void add_claim(const berth_claim& claim, DiskFacts& to) const;
  // Adds the disks of the kind among a node's or the pod's volumes.
  void add_disks(const DiskFacts& facts, std::span<const uint64_t> claims,
                 std::span<const uint64_t> inline_volumes, std::vector<Disk>& to) const;
  int64_t limit_of(int64_t own, uint32_t type, uint32_t former_type) const;

  const DiskKind kind_;
  uint32_t plugin_ = 0;  // string id
  sdk::Volumes volumes_;
  sdk::Strings strings_;
  std::shared_ptr<const DiskFacts> facts_;
  sdk::ListInput<uint64_t> claims_{*this, "pod.claims"};
  sdk::ListInput<uint64_t> inline_{*this, "pod.inline_volumes"};
  sdk::Input<int64_t> version_{*this, "pod.volumes_version"};
  sdk::Input<uint32_t> node_{*this, "node.name"};
  sdk::ListInput<uint64_t> used_claims_{*this, "node.claims"};
  sdk::ListInput<uint64_t> used_inline_{*this, "node.inline_volumes"};
  sdk::Input<int64_t> own_limit_;
  sdk::Input<uint32_t> type_{*this, "node.label:node.kubernetes.io/instance-type"};
  sdk::Input<uint32_t> former_type_{*this, "node.label:beta.kubernetes.io/instance-type"};
  sdk::Reason exceeded_{*this, "node(s) exceed max volume count"};
};

// A new node, or the end of a pod.
class DiskLimitsHints final : public sdk::Hints<> {
 public:
  uint32_t actions(uint32_t kind) const override;
  bool hint(const Call&, const sdk::Event&) const override { return true; }
};

template <const DiskKind& kKind>
class DiskLimitsOf final : public DiskLimitsFilter {
 public:
  DiskLimitsOf() : DiskLimitsFilter(kKind) {}
};

template <const DiskKind& kKind>
using DiskLimits = sdk::Hooks<DiskLimitsOf<kKind>, DiskLimitsHints>;

}  // namespace berth::plugins
