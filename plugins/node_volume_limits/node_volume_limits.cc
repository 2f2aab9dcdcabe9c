#include "plugins/node_volume_limits/node_volume_limits.h"

#include <algorithm>
#include <string_view>

#include "berth/sdk/services/rules.hpp"

namespace berth::plugins {
namespace {

constexpr std::string_view kPortworx = "kubernetes.io/portworx-volume";

// The CSI drivers that replace in-tree plugins. On nodes with a CSINode all of them do. Before
// kube-scheduler v1.36 the CSINode has to name that of Portworx.
constexpr std::pair<std::string_view, std::string_view> kDrivers[] = {
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com"},
    {"kubernetes.io/gce-pd", "pd.csi.storage.gke.io"},
    {"kubernetes.io/azure-disk", "disk.csi.azure.com"},
    {"kubernetes.io/cinder", "cinder.csi.openstack.org"},
    {kPortworx, "pxd.portworx.com"},
};

AttachedVolume inline_volume(uint64_t element) {
  return {static_cast<uint32_t>(element >> 32), true, false, static_cast<uint32_t>(element)};
}

// Adds the volume as the node sees it, once.
void add(const VolumeFacts& facts, const VolumeFacts::Node& node, AttachedVolume volume,
         std::vector<AttachedVolume>& to) {
  if (volume.in_tree) {
    if (volume.driver == facts.named && !node.portworx) return;
    volume.driver = facts.csi_of.at(volume.driver);
    volume.in_tree = false;
  }
  if (volume.driver == 0) return;
  if (std::ranges::find(to, volume) == to.end()) to.push_back(volume);
}

void add_all(const VolumeFacts& facts, const VolumeFacts::Node& node,
             std::span<const uint64_t> claims, std::span<const uint64_t> inline_volumes,
             std::vector<AttachedVolume>& to) {
  for (const uint64_t claim : claims)
    if (const auto at = facts.claims.find(claim); at != facts.claims.end())
      add(facts, node, at->second, to);
  for (const uint64_t volume : inline_volumes) add(facts, node, inline_volume(volume), to);
}

}  // namespace

std::string_view csi_driver_of(std::string_view in_tree_plugin) {
  for (const auto& [plugin, driver] : kDrivers)
    if (plugin == in_tree_plugin) return driver;
  return {};
}

void LimitsPreFilter::pre_filter(const Call& call, sdk::PreFilterResult& result) const {
  if (call.one(claims_).empty() && call.one(inline_).empty()) result.skip();
}

void LimitsFilter::init(sdk::Host host) {
  volumes_ = sdk::Volumes(host);
  strings_ = sdk::Strings(host);
  if (!sdk::Rules(host).holds("PortworxMigrated")) named_ = strings_.intern(kPortworx);
  for (const auto& [plugin, driver] : kDrivers)
    csi_of_[strings_.intern(plugin)] = strings_.intern(driver);
}

std::shared_ptr<const VolumeFacts> LimitsFilter::facts() {
  if (facts_ != nullptr && facts_->version == volumes_.version()) return facts_;
  auto made = std::make_shared<VolumeFacts>();
  made->version = volumes_.version();
  made->csi_of = csi_of_;
  made->named = named_;
  add_claims(*made);
  add_nodes(*made);
  return facts_ = made;
}

void LimitsFilter::add_claims(VolumeFacts& to) const {
  volumes_.each_claim([&](const berth_claim& claim) {
    AttachedVolume& made = to.claims[uint64_t{claim.namespace_name} << 32 | claim.name];
    const berth_volume* volume = claim.volume == 0 ? nullptr : volumes_.volume(claim.volume);
    if (volume != nullptr) {
      const bool csi = volume->csi_driver != 0;
      const bool known = csi || to.csi_of.contains(volume->plugin);
      const uint32_t handle = csi ? volume->csi_handle : volume->plugin_handle;
      if (known && handle != 0)
        made = {csi ? volume->csi_driver : volume->plugin, !csi, false, handle};
      return;
    }
    const berth_storage_class* of = volumes_.storage_class(claim.storage_class);
    if (of == nullptr) return;
    made = {of->provisioner, to.csi_of.contains(of->provisioner), true,
            uint64_t{claim.namespace_name} << 32 | claim.name};
  });
}

void LimitsFilter::add_nodes(VolumeFacts& to) const {
  volumes_.each_csi_node([&](const berth_csi_node& node) {
    VolumeFacts::Node& made = to.nodes[node.name];
    for (uint32_t i = 0; i < node.driver_count; ++i)
      if (node.limits[i] >= 0) {
        made.limits.emplace_back(node.drivers[i], node.limits[i]);
        made.room = std::min(made.room, node.limits[i]);
      }
    for (std::string_view plugins = strings_.text(node.migrated_plugins); !plugins.empty();) {
      const size_t end = std::min(plugins.find(','), plugins.size());
      made.portworx = made.portworx || plugins.substr(0, end) == kPortworx;
      plugins.remove_prefix(std::min(end + 1, plugins.size()));
    }
  });
  volumes_.each_attachment([&](const berth_volume_attachment& attachment) {
    const berth_volume* volume = volumes_.volume(attachment.volume);
    if (attachment.attacher == 0 || volume == nullptr || volume->csi_driver == 0) return;
    std::vector<AttachedVolume>& list = to.nodes[attachment.node_name].attached;
    const AttachedVolume made{attachment.attacher, false, false, volume->csi_handle};
    if (std::ranges::find(list, made) == list.end()) list.push_back(made);
  });
  for (auto& [name, node] : to.nodes) {
    node.room -= static_cast<int64_t>(node.attached.size());
    to.room = std::min(to.room, node.room);
  }
}

// Upstream looks at claims on each node, with one result for all of them.
void LimitsFilter::check_claims(const sdk::Template& pod, LimitedVolumes& state) const {
  const auto owners = pod.one(owners_);
  const auto names = pod.one(owner_names_);
  for (size_t i = 0; i < state.claims.size(); ++i) {
    const std::string_view space = strings_.text(static_cast<uint32_t>(state.claims[i] >> 32));
    const std::string_view name = strings_.text(static_cast<uint32_t>(state.claims[i]));
    if (name.empty()) {
      state.error = "PersistentVolumeClaim had no name";
      return;
    }
    const berth_claim* claim = volumes_.claim(state.claims[i]);
    if (claim == nullptr) {
      state.missing = sdk::concat("looking up PVC ", space, "/", name, ": persistentvolumeclaim \"",
                                  name, "\" not found");
      return;
    }
    if (owners[i] != 0 && claim->owner_uid != owners[i]) {
      state.error = sdk::concat("PVC ", space, "/", name, " was not created for pod ", space, "/",
                                strings_.text(names[i]), " (pod is not owner)");
      return;
    }
  }
}

void LimitsFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                           LimitedVolumes& state) {
  const auto claims = pod.one(claims_);
  const auto inline_volumes = pod.one(inline_);
  state.claims.assign(claims.begin(), claims.end());
  state.inline_volumes.assign(inline_volumes.begin(), inline_volumes.end());
  if (state.claims.empty() && state.inline_volumes.empty()) return prepared.passes();
  check_claims(pod, state);
  state.facts = facts();
  prepared.keep(node_, used_claims_, used_inline_);
}

bool LimitsFilter::exceeds(const LimitedVolumes& state, const VolumeFacts::Node& node,
                           std::span<const uint64_t> claims,
                           std::span<const uint64_t> inline_volumes) {
  std::vector<AttachedVolume> wanted, there;
  add_all(*state.facts, node, state.claims, state.inline_volumes, wanted);
  if (wanted.empty()) return false;
  add_all(*state.facts, node, claims, inline_volumes, there);
  std::erase_if(wanted, [&](const AttachedVolume& volume) {
    return std::ranges::find(there, volume) != there.end();
  });
  const size_t of_pods = there.size();
  for (const AttachedVolume& volume : node.attached) {
    const auto end = there.begin() + static_cast<std::ptrdiff_t>(of_pods);
    if (std::find(there.begin(), end, volume) == end) there.push_back(volume);
  }
  return std::ranges::any_of(node.limits, [&](const auto& limit) {
    const auto of_driver = [&](const AttachedVolume& volume) {
      return volume.driver == limit.first;
    };
    const auto more = std::ranges::count_if(wanted, of_driver);
    return more != 0 && std::ranges::count_if(there, of_driver) + more > limit.second;
  });
}

void LimitsFilter::filter(const Call& call, std::span<uint8_t> verdicts) const {
  const LimitedVolumes& state = call.state();
  std::fill(verdicts.begin(), verdicts.end(), uint8_t{BERTH_SUCCESS});
  if (!state.error.empty()) throw sdk::Failure(state.error);
  if (!state.missing.empty()) {
    std::fill(verdicts.begin(), verdicts.end(), uint8_t{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE});
    return;
  }
  if (state.facts == nullptr) return;
  const auto names = call[node_];
  const auto claims = call[used_claims_];
  const auto inline_volumes = call[used_inline_];
  const size_t wanted = state.claims.size() + state.inline_volumes.size();
  for (size_t i = 0; i < verdicts.size(); ++i) {
    // Each claim and each inline volume is one volume at most. Mostly there is room for all.
    const auto most = static_cast<int64_t>(wanted + claims[i].size() + inline_volumes[i].size());
    if (most <= state.facts->room) continue;
    const auto node = state.facts->nodes.find(names[i]);
    if (node == state.facts->nodes.end() || most <= node->second.room) continue;
    if (exceeds(state, node->second, claims[i], inline_volumes[i]))
      verdicts[i] = BERTH_UNSCHEDULABLE;
  }
}

void LimitsFilter::reasons(const Call& call, std::span<uint32_t> reasons) const {
  const uint32_t missing = static_cast<uint32_t>(exceeded_) + 1;
  for (uint32_t& reason : reasons) reason = call.state().missing.empty() ? exceeded_ : missing;
}

void LimitsFilter::describe(const Call& call, uint32_t reason, const sdk::TextSink& sink) const {
  if (reason == exceeded_) return write_reason(reason, sink);
  sink.write(call.state().missing);
}

}  // namespace berth::plugins
