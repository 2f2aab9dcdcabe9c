#pragma once

// Refuses nodes with a pod that uses a disk of this pod, and pods whose claim allows one pod where
// another has it (kube-scheduler v1.34.1, plugins/volumerestrictions).

#include <span>
#include <string>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/volumes.hpp"

namespace berth::plugins {

struct RestrictedVolumes {
  std::vector<uint64_t> disks;             // as pod.disks
  std::vector<uint32_t> single_pod_names;  // claims with the mode ReadWriteOncePod, without repeats
  int64_t conflicts = 0;                   // how many of them some pod uses
  std::string missing;                     // the text about the first claim that does not exist
};

// True if a pod with the disks of one list cannot run beside one with those of the other. As
// pod.disks.
bool disks_conflict(std::span<const uint64_t> mine, std::span<const uint64_t> others);

// The columns of a pod that both hooks read, and what they say.
class RestrictedInputs {
 public:
  explicit RestrictedInputs(sdk::Declaration& of) : of_(of) {}
  RestrictedVolumes read(const sdk::Template& pod, const sdk::Volumes& volumes,
                         const sdk::Strings& strings) const;

 private:
  sdk::Declaration& of_;
  sdk::ListInput<uint64_t> claims_{of_, "pod.claims"};
  sdk::ListInput<uint32_t> owners_{of_, "pod.claim_owners"};
  sdk::ListInput<uint64_t> disks_{of_, "pod.disks"};
  sdk::Input<int64_t> version_{of_, "pod.volumes_version"};
};

// Refuses a pod with a claim that does not exist; skips pods without disks and conflicts.
class RestrictionsPreFilter final : public sdk::PreFilter<RestrictedVolumes> {
 public:
  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               RestrictedVolumes& state) override;
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override;
  void describe(const Call& call, uint32_t reason, const sdk::TextSink& sink) const override;

 private:
  sdk::Volumes volumes_;
  sdk::Strings strings_;
  RestrictedInputs inputs_{*this};
};

class RestrictionsFilter final : public sdk::Filter<RestrictedVolumes> {
 public:
  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               RestrictedVolumes& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;
  void reasons(const Call& call, std::span<uint32_t> reasons) const override;

 private:
  bool disk_conflict(const Call& call, size_t position) const;

  sdk::Volumes volumes_;
  sdk::Strings strings_;
  RestrictedInputs inputs_{*this};
  sdk::ListInput<uint64_t> used_{*this, "node.disks"};
  sdk::Reason disk_{*this, "node(s) had no available disk"};
  sdk::Reason claim_{
      *this,
      "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access "
      "mode already in-use by another pod"};
};

// Follows the pods that a preemption would remove. As upstream, claims are told by name alone here,
// so that one of that name in another namespace counts too.
class RestrictionsOverlay final : public sdk::OverlayState<RestrictionsFilter> {
 public:
  void add_pod(State& state, const Call& pod, uint32_t row) const override;
  void remove_pod(State& state, const Call& pod, uint32_t row) const override;

 private:
  int64_t conflicts(const State& state, const Call& pod) const;

  sdk::ListInput<uint64_t> claims_{*this, "pod.claims"};
  sdk::ListInput<uint32_t> owners_{*this, "pod.claim_owners"};
};

}  // namespace berth::plugins
