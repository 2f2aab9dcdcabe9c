#include "plugins/volume_binding/binding.h"

#include <algorithm>

namespace berth::plugins {
namespace {

constexpr int64_t kLookNanoseconds = 1'000'000'000;

bool is_bound(const berth_claim& claim) {
  return claim.volume != 0 && (claim.flags & BERTH_CLAIM_BIND_COMPLETED) != 0;
}

// An API server's answer to an update of an object that changed since.
std::string conflict(std::string_view kind, std::string_view name) {
  return sdk::concat("Operation cannot be fulfilled on ", kind, " \"", name,
                     "\": the object has been modified; please apply your changes to the latest "
                     "version and try again");
}
// As far as both have UIDs.
bool is_for(const berth_volume& volume, const berth_claim& claim) {
  return volume.claim_namespace == claim.namespace_name && volume.claim_name == claim.name &&
         (volume.claim_uid == claim.uid || volume.claim_uid == 0 || claim.uid == 0);
}
std::string gone(std::string_view kind, std::string_view name) {
  return sdk::concat(kind, " \"", name, "\" not found");
}

}  // namespace

void BindingReserve::reserve(const Call& call, std::span<uint8_t> codes,
                             std::span<uint32_t>) const {
  const sdk::Volumes& volumes = inputs_.volumes();
  for (size_t i = 0; i < codes.size(); ++i) {
    codes[i] = BERTH_SUCCESS;
    if (call[claims_][i].empty()) continue;
    const uint32_t node = call[node_][i];
    const uint64_t pod = call[pod_][i];
    const ClaimRules rules = inputs_.read_at(call, i);
    if (rules.delayed.empty()) continue;
    const NodeVolumes& found =
        decided_.insert_or_assign(pod, Decided{inputs_.volumes_on(rules, node), false})
            .first->second.volumes;
    for (const auto& [volume, claim] : found.bindings)
      volumes.assume_volume(pod, volume, *volumes.claim(claim));
    for (const uint64_t claim : found.provisions) volumes.assume_claim(pod, claim, node);
  }
}

void BindingReserve::unreserve(const Call& call) const noexcept {
  const sdk::Volumes& volumes = inputs_.volumes();
  for (size_t i = 0; i < call.size(); ++i) {
    const uint64_t pod = call[pod_][i];
    const auto at = decided_.find(pod);
    if (at == decided_.end()) continue;
    for (const NodeVolumes::Binding& one : at->second.volumes.bindings)
      volumes.forget_volume(pod, one.volume);
    for (const uint64_t claim : at->second.volumes.provisions) volumes.forget_claim(pod, claim);
    decided_.erase(at);
  }
}

void BindingPreBind::pre_flight(const Call& call, std::span<uint8_t> codes) const {
  for (size_t i = 0; i < codes.size(); ++i)
    codes[i] = decided_.contains(call[pod_][i]) ? BERTH_SUCCESS : BERTH_SKIP;
}

void BindingPreBind::pre_bind(const Call& call, std::span<const int64_t> waited,
                              std::span<uint8_t> codes, std::span<int64_t> again) const {
  for (size_t i = 0; i < codes.size(); ++i) {
    codes[i] = BERTH_SUCCESS;
    const auto at = decided_.find(call[pod_][i]);
    if (!call.wanted(i) || at == decided_.end()) continue;
    Decided& decided = at->second;
    const int64_t left = timeout_.count() - waited[i];
    Look seen;
    if (!decided.written) {
      seen.error = write(at->first, call[node_][i], decided.volumes);
      decided.written = true;
    } else {
      seen = look(call[node_][i], decided.volumes);
      if (!seen.error.empty()) seen.error.insert(0, "binding volumes: ");
    }
    if (seen.error.empty() && !seen.bound && left <= 0)
      seen.error = "binding volumes: context deadline exceeded";
    if (!seen.error.empty()) {
      codes[i] = BERTH_ERROR;
      call.error().write(seen.error);
    } else if (seen.bound) {
      decided_.erase(at);
    } else {
      codes[i] = BERTH_WAIT;
      again[i] = std::min(kLookNanoseconds, left);
    }
  }
}

// As in bindAPIUpdate, what comes after an error is not written.
std::string BindingPreBind::write(uint64_t pod, uint32_t node, const NodeVolumes& of) const {
  const sdk::Volumes& volumes = inputs_.volumes();
  for (const auto& [volume, claim] : of.bindings) {
    const std::string_view name = inputs_.text(volume);
    if (volumes.written_volume(volume) == nullptr) return gone("persistentvolumes", name);
    const berth_claim* mine = volumes.claim(claim);
    if (mine == nullptr || !volumes.write_volume(pod, volume, *mine))
      return conflict("persistentvolumes", name);
  }
  for (const uint64_t claim : of.provisions) {
    const std::string_view name = inputs_.text(static_cast<uint32_t>(claim));
    if (volumes.written_claim(claim) == nullptr) return gone("persistentvolumeclaims", name);
    if (!volumes.write_claim(pod, claim, node)) return conflict("persistentvolumeclaims", name);
  }
  return {};
}

std::string BindingPreBind::unreachable(const berth_volume& volume, uint32_t node) const {
  if (volume.node_affinity == 0 || inputs_.volumes().node_matches(volume.node_affinity, node))
    return {};
  return sdk::concat("pv \"", inputs_.text(volume.name), "\" node affinity doesn't match node \"",
                     inputs_.text(node), "\": no matching NodeSelectorTerms");
}

BindingPreBind::Look BindingPreBind::look_at_volume(uint32_t node,
                                                    const NodeVolumes::Binding& binding) const {
  const std::string_view name = inputs_.text(binding.volume);
  const berth_volume* volume = inputs_.volumes().written_volume(binding.volume);
  if (volume == nullptr)
    return {false, sdk::concat("failed to check binding: could not find v1.PersistentVolume \"",
                               name, "\"")};
  const berth_claim* claim = inputs_.volumes().written_claim(binding.claim);
  if (claim == nullptr)
    return {false,
            sdk::concat("failed to check binding: could not find v1.PersistentVolumeClaim \"",
                        inputs_.text(static_cast<uint32_t>(binding.claim >> 32)), "/",
                        inputs_.text(static_cast<uint32_t>(binding.claim)), "\"")};
  if (std::string error = unreachable(*volume, node); !error.empty())
    return {false, std::move(error)};
  // Claims of manifests have no UID.
  const bool reset =
      (volume->flags & BERTH_VOLUME_HAS_CLAIM) == 0 || (volume->claim_uid == 0 && claim->uid != 0);
  if (reset) return {false, sdk::concat("ClaimRef got reset for pv \"", name, "\"")};
  // Another took it since it was written here, or the write failed because of that. kube-scheduler
  // hears of the latter where it writes, and here would wait in vain.
  if (!is_for(*volume, *claim)) return {false, conflict("persistentvolumes", name)};
  return {is_bound(*claim), {}};
}

BindingPreBind::Look BindingPreBind::look_at_claim(uint32_t node, uint64_t key) const {
  const std::string_view name = inputs_.text(static_cast<uint32_t>(key));
  const berth_claim* claim = inputs_.volumes().written_claim(key);
  if (claim == nullptr)
    return {
        false,
        sdk::concat("failed to check provisioning pvc: could not find v1.PersistentVolumeClaim \"",
                    inputs_.text(static_cast<uint32_t>(key >> 32)), "/", name, "\"")};
  if (claim->selected_node != node)
    return {false, sdk::concat("provisioning failed for PVC \"", name, "\"")};
  if (claim->volume == 0) return {};
  const berth_volume* volume = inputs_.volumes().written_volume(claim->volume);
  if (volume == nullptr) return {};  // it may come
  if (std::string error = unreachable(*volume, node); !error.empty())
    return {false, std::move(error)};
  return {is_bound(*claim), {}};
}

BindingPreBind::Look BindingPreBind::look(uint32_t node, const NodeVolumes& of) const {
  for (const NodeVolumes::Binding& one : of.bindings)
    if (Look seen = look_at_volume(node, one); !seen.bound) return seen;
  for (const uint64_t claim : of.provisions)
    if (Look seen = look_at_claim(node, claim); !seen.bound) return seen;
  return {true, {}};
}

}  // namespace berth::plugins
