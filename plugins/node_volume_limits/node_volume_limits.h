#pragma once

// Refuses nodes whose CSI drivers can attach no more volumes (kube-scheduler v1.34.1,
// plugins/nodevolumelimits).

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/volumes.hpp"

namespace berth::plugins {

// The CSI driver that replaces the in-tree plugin; empty: none does.
std::string_view csi_driver_of(std::string_view in_tree_plugin);

// A volume as a CSI driver knows it. Of a volume of an in-tree plugin, `driver` is the plugin until
// it is known whether the node has moved it to its driver.
struct AttachedVolume {
  uint32_t driver = 0;   // string id; 0: it counts nowhere
  bool in_tree = false;  // driver is the name of an in-tree plugin
  bool unbound = false;  // handle is the key of a claim without a volume
  uint64_t handle = 0;   // string id
  auto operator<=>(const AttachedVolume&) const = default;
};

// All objects that decide, as they are at one version of the volumes service. Read by all threads.
struct VolumeFacts {
  struct Node {
    std::vector<std::pair<uint32_t, int64_t>> limits;  // by driver
    bool portworx = false;                 // it has moved the plugin of Portworx to its CSI driver
    std::vector<AttachedVolume> attached;  // by VolumeAttachments
    // So many volumes of any drivers, besides the attached ones, exceed no limit.
    int64_t room = INT64_MAX;
  };
  uint64_t version = 0;
  std::unordered_map<uint64_t, AttachedVolume> claims;
  std::unordered_map<uint32_t, Node> nodes;       // by name
  int64_t room = INT64_MAX;                       // no node has less
  std::unordered_map<uint32_t, uint32_t> csi_of;  // in-tree plugin to CSI driver
  uint32_t named = 0;  // in-tree plugin that moves only where the CSINode names it; 0: none
};

struct LimitedVolumes {
  std::vector<uint64_t> claims, inline_volumes;  // of the pod
  std::string missing;                           // refuses the pod on every node
  std::string error;
  std::shared_ptr<const VolumeFacts> facts;
};

// Skips pods without volumes that CSI drivers attach.
class LimitsPreFilter final : public sdk::PreFilter<sdk::NoState> {
 public:
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override;

 private:
  sdk::ListInput<uint64_t> claims_{*this, "pod.claims"};
  sdk::ListInput<uint64_t> inline_{*this, "pod.inline_volumes"};
};

class LimitsFilter final : public sdk::Filter<LimitedVolumes> {
 public:
  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               LimitedVolumes& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;
  void reasons(const Call& call, std::span<uint32_t> reasons) const override;
  void describe(const Call& call, uint32_t reason, const sdk::TextSink& sink) const override;

 private:
  std::shared_ptr<const VolumeFacts> facts();
  void add_claims(VolumeFacts& to) const;
  void add_nodes(VolumeFacts& to) const;
  void check_claims(const sdk::Template& pod, LimitedVolumes& state) const;
  static bool exceeds(const LimitedVolumes& state, const VolumeFacts::Node& node,
                      std::span<const uint64_t> claims, std::span<const uint64_t> inline_volumes);

  sdk::Volumes volumes_;
  sdk::Strings strings_;
  std::unordered_map<uint32_t, uint32_t> csi_of_;
  uint32_t named_ = 0;  // as in VolumeFacts
  std::shared_ptr<const VolumeFacts> facts_;
  sdk::ListInput<uint64_t> claims_{*this, "pod.claims"};
  sdk::ListInput<uint32_t> owners_{*this, "pod.claim_owners"};
  sdk::ListInput<uint32_t> owner_names_{*this, "pod.claim_owner_names"};
  sdk::ListInput<uint64_t> inline_{*this, "pod.inline_volumes"};
  sdk::Input<int64_t> version_{*this, "pod.volumes_version"};
  sdk::Input<uint32_t> node_{*this, "node.name"};
  sdk::ListInput<uint64_t> used_claims_{*this, "node.claims"};
  sdk::ListInput<uint64_t> used_inline_{*this, "node.inline_volumes"};
  sdk::Reason exceeded_{*this, "node(s) exceed max volume count"};
};

}  // namespace berth::plugins
