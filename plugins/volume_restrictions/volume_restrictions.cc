#include "plugins/volume_restrictions/volume_restrictions.h"

#include <algorithm>

namespace berth::plugins {

bool disks_conflict(std::span<const uint64_t> mine, std::span<const uint64_t> others) {
  for (const uint64_t one : mine)
    for (const uint64_t other : others)
      if (one >> 1 == other >> 1 && (one & other & 1) == 0) return true;
  return false;
}

RestrictedVolumes RestrictedInputs::read(const sdk::Template& pod, const sdk::Volumes& volumes,
                                         const sdk::Strings& strings) const {
  RestrictedVolumes found;
  const auto disks = pod.one(disks_);
  found.disks.assign(disks.begin(), disks.end());
  const auto claims = pod.one(claims_);
  const auto owners = pod.one(owners_);
  for (size_t i = 0; i < claims.size(); ++i) {
    if (owners[i] != 0) continue;  // claims of ephemeral volumes are not looked at
    const auto name = static_cast<uint32_t>(claims[i]);
    const berth_claim* claim = volumes.claim(claims[i]);
    if (claim == nullptr) {
      found.missing = sdk::concat("persistentvolumeclaim \"", strings.text(name), "\" not found");
      return found;
    }
    if ((claim->access_modes & BERTH_READ_WRITE_ONCE_POD) == 0) continue;
    if (std::ranges::find(found.single_pod_names, name) != found.single_pod_names.end()) continue;
    found.single_pod_names.push_back(name);
    if ((claim->flags & BERTH_CLAIM_USED) != 0) ++found.conflicts;
  }
  return found;
}

void RestrictionsPreFilter::init(sdk::Host host) {
  volumes_ = sdk::Volumes(host);
  strings_ = sdk::Strings(host);
}

void RestrictionsPreFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                                    RestrictedVolumes& state) {
  state = inputs_.read(pod, volumes_, strings_);
  if (state.missing.empty() && state.disks.empty() && state.conflicts == 0) prepared.passes();
}

void RestrictionsPreFilter::pre_filter(const Call& call, sdk::PreFilterResult& result) const {
  const RestrictedVolumes& state = call.state();
  if (!state.missing.empty()) return result.refuse(BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, 1);
  if (state.disks.empty() && state.conflicts == 0) result.skip();
}

void RestrictionsPreFilter::describe(const Call& call, uint32_t, const sdk::TextSink& sink) const {
  sink.write(call.state().missing);
}

void RestrictionsFilter::init(sdk::Host host) {
  volumes_ = sdk::Volumes(host);
  strings_ = sdk::Strings(host);
}

void RestrictionsFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                                 RestrictedVolumes& state) {
  state = inputs_.read(pod, volumes_, strings_);
  prepared.keep(used_);
}

bool RestrictionsFilter::disk_conflict(const Call& call, size_t position) const {
  return disks_conflict(call.state().disks, call[used_][position]);
}

void RestrictionsFilter::filter(const Call& call, std::span<uint8_t> verdicts) const {
  const bool in_use = call.state().conflicts > 0;
  for (size_t i = 0; i < verdicts.size(); ++i)
    verdicts[i] = in_use || disk_conflict(call, i) ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
}

void RestrictionsFilter::reasons(const Call& call, std::span<uint32_t> reasons) const {
  for (size_t i = 0; i < reasons.size(); ++i) reasons[i] = disk_conflict(call, i) ? disk_ : claim_;
}

int64_t RestrictionsOverlay::conflicts(const State& state, const Call& pod) const {
  const auto claims = pod.one(claims_);
  const auto owners = pod.one(owners_);
  int64_t found = 0;
  for (size_t i = 0; i < claims.size(); ++i) {
    const auto name = static_cast<uint32_t>(claims[i]);
    const auto& names = state.single_pod_names;
    if (owners[i] == 0 && std::ranges::find(names, name) != names.end()) ++found;
  }
  return found;
}

void RestrictionsOverlay::add_pod(State& state, const Call& pod, uint32_t) const {
  state.conflicts += conflicts(state, pod);
}

void RestrictionsOverlay::remove_pod(State& state, const Call& pod, uint32_t) const {
  state.conflicts -= conflicts(state, pod);
}

}  // namespace berth::plugins
