#include "plugins/volume_zone/volume_zone.h"

#include <algorithm>

namespace berth::plugins {
namespace {

// The zones of a label's value, which joins them with "__"; none if one of them is empty.
std::vector<std::string> split(std::string_view value) {
  std::vector<std::string> zones;
  for (size_t begin = 0; begin <= value.size();) {
    const size_t end = std::min(value.find("__", begin), value.size());
    std::string_view zone = value.substr(begin, end - begin);
    while (zone.starts_with(' ')) zone.remove_prefix(1);
    while (zone.ends_with(' ')) zone.remove_suffix(1);
    if (zone.empty()) return {};
    zones.emplace_back(zone);
    begin = end + 2;
  }
  return zones;
}

}  // namespace

std::vector<AllowedZones> zones_of(const berth_volume& volume, const sdk::Strings& strings) {
  std::vector<AllowedZones> all;
  for (size_t label = 0; label < kZoneLabels.size(); ++label) {
    const uint32_t value = sdk::label_of(volume, strings.find(kZoneLabels[label]));
    if (value == 0) continue;
    AllowedZones allowed{label, {}};
    for (const std::string& zone : split(strings.text(value)))
      allowed.values.push_back(strings.intern(zone));
    std::sort(allowed.values.begin(), allowed.values.end());
    allowed.values.erase(std::unique(allowed.values.begin(), allowed.values.end()),
                         allowed.values.end());
    if (!allowed.values.empty()) all.push_back(std::move(allowed));
  }
  return all;
}

void ZoneInputs::init(sdk::Host host) {
  volumes_ = sdk::Volumes(host);
  strings_ = sdk::Strings(host);
}

void ZoneInputs::read(const sdk::Template& pod, VolumeZones& state) const {
  const auto claims = pod.one(claims_);
  const auto owners = pod.one(owners_);
  for (size_t i = 0; i < claims.size(); ++i)
    if (owners[i] == 0 && !add_claim(claims[i], state)) return;
}

bool ZoneInputs::add_claim(uint64_t key, VolumeZones& state) const {
  const std::string_view name = strings_.text(static_cast<uint32_t>(key));
  const berth_claim* claim = volumes_.claim(key);
  if (name.empty()) {
    state.refusal = "PersistentVolumeClaim had no name";
  } else if (claim == nullptr) {
    state.refusal = sdk::concat("persistentvolumeclaim \"", name, "\" not found");
  } else if (claim->volume == 0) {
    state.refusal = unbound(*claim);
  } else if (const berth_volume* volume = volumes_.volume(claim->volume)) {
    const std::vector<AllowedZones> zones = zones_of(*volume, strings_);
    state.allowed.insert(state.allowed.end(), zones.begin(), zones.end());
  } else {
    state.refusal =
        sdk::concat("persistentvolume \"", strings_.text(claim->volume), "\" not found");
  }
  return state.refusal.empty();
}

std::string ZoneInputs::unbound(const berth_claim& claim) const {
  if (claim.storage_class == 0) return "PersistentVolumeClaim had no pv name and storageClass name";
  const std::string_view name = strings_.text(claim.storage_class);
  const berth_storage_class* of = volumes_.storage_class(claim.storage_class);
  if (of == nullptr) return sdk::concat("storageclass.storage.k8s.io \"", name, "\" not found");
  if ((of->flags & BERTH_CLASS_HAS_BINDING_MODE) == 0)
    return sdk::concat("VolumeBindingMode not set for StorageClass \"", name, "\"");
  if ((of->flags & BERTH_CLASS_WAITS) != 0) return {};
  return "PersistentVolume had no name";
}

void ZonePreFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                            VolumeZones& state) {
  inputs_.read(pod, state);
  if (state.refusal.empty() && state.allowed.empty()) prepared.passes();
}

void ZonePreFilter::pre_filter(const Call& call, sdk::PreFilterResult& result) const {
  if (!call.state().refusal.empty()) return result.refuse(BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, 1);
  if (call.state().allowed.empty()) result.skip();
}

void ZonePreFilter::describe(const Call& call, uint32_t, const sdk::TextSink& sink) const {
  sink.write(call.state().refusal);
}

void ZoneFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared, VolumeZones& state) {
  inputs_.read(pod, state);
  if (state.allowed.empty()) return prepared.passes();
  for (size_t label = 0; label < kZoneLabels.size(); ++label)
    state.labels[label] = prepared.add<uint32_t>(sdk::concat("node.label:", kZoneLabels[label]));
}

void ZoneFilter::filter(const Call& call, std::span<uint8_t> verdicts) const {
  const VolumeZones& state = call.state();
  std::fill(verdicts.begin(), verdicts.end(), uint8_t{BERTH_SUCCESS});
  if (state.allowed.empty()) return;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    std::array<uint32_t, kZoneLabels.size()> labels{};
    for (size_t label = 0; label < labels.size(); ++label)
      labels[label] = call[state.labels[label]][i];
    if (std::ranges::all_of(labels, [](uint32_t value) { return value == 0; })) continue;
    for (const auto& [label, values] : state.allowed) {
      // A beta label of a volume is compared with the node's label of today if it has no beta one.
      const uint32_t mine = labels[label] != 0 || label >= 2 ? labels[label] : labels[label + 2];
      if (std::ranges::find(values, mine) == values.end())
        verdicts[i] = BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
    }
  }
}

}  // namespace berth::plugins
