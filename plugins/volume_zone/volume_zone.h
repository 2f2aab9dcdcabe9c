#pragma once

// Keeps pods in the zones and regions that the labels of their volumes name (kube-scheduler
// v1.34.1, plugins/volumezone).

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/volumes.hpp"

namespace berth::plugins {

inline constexpr std::array<std::string_view, 4> kZoneLabels = {
    "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region",
    "topology.kubernetes.io/zone", "topology.kubernetes.io/region"};

// The zones or regions that a label of a volume allows.
struct AllowedZones {
  size_t label = 0;              // in kZoneLabels
  std::vector<uint32_t> values;  // string ids, sorted, without repeats
  bool operator==(const AllowedZones&) const = default;
};

// By label; without labels that are absent or malformed.
std::vector<AllowedZones> zones_of(const berth_volume& volume, const sdk::Strings& strings);

struct VolumeZones {
  std::vector<AllowedZones> allowed;
  std::string refusal;  // the pod is refused with this text
  std::array<sdk::Slot<uint32_t>, kZoneLabels.size()> labels{};
};

// The columns of a pod that both hooks read, and what they say.
class ZoneInputs {
 public:
  explicit ZoneInputs(sdk::Declaration& of) : of_(of) {}
  void init(sdk::Host host);
  void read(const sdk::Template& pod, VolumeZones& state) const;

 private:
  // False: the pod is refused.
  bool add_claim(uint64_t key, VolumeZones& state) const;
  std::string unbound(const berth_claim& claim) const;  // the text of a refusal; empty: none

  sdk::Declaration& of_;
  sdk::Volumes volumes_;
  sdk::Strings strings_;
  sdk::ListInput<uint64_t> claims_{of_, "pod.claims"};
  sdk::ListInput<uint32_t> owners_{of_, "pod.claim_owners"};
  sdk::Input<int64_t> version_{of_, "pod.volumes_version"};
};

class ZonePreFilter final : public sdk::PreFilter<VolumeZones> {
 public:
  void init(sdk::Host host) override { inputs_.init(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, VolumeZones& state) override;
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override;
  void describe(const Call& call, uint32_t reason, const sdk::TextSink& sink) const override;

 private:
  ZoneInputs inputs_{*this};
};

class ZoneFilter final : public sdk::Filter<VolumeZones> {
 public:
  void init(sdk::Host host) override { inputs_.init(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, VolumeZones& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;

 private:
  ZoneInputs inputs_{*this};
  sdk::Family labels_{*this, "node.label:*"};
  sdk::Reason conflict_{*this, "node(s) had no available volume zone"};
};

}  // namespace berth::plugins
