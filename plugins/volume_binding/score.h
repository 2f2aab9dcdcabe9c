#pragma once

// Scores nodes by how much of their storage is left (kube-scheduler v1.34.1, plugins/volumebinding:
// scorer.go, PreScore, Score; behind the feature gate StorageCapacityScoring).
//
// A node that has volumes for claims of the pod is scored by these: for each storage class, what
// the claims request of what the volumes have. Any other node is scored by the capacities that
// drivers publish (CSIStorageCapacity) and in which the volumes would be made. `shape` turns the
// percentage into a score; that of a node is the mean of its classes, and 0 without classes.
//
// Where kube-scheduler's answer depends on chance or it ends, this differs: of several capacities
// that suffice, it takes any, and this one the largest; it ends at a capacity object that has only
// a maximumVolumeSize, which counts as full here. It groups volumes by their field
// storageClassName, and this by the class that they are of, which an annotation may name.

#include <optional>
#include <vector>

#include "berth/sdk/kubernetes/scored_resources.hpp"
#include "plugins/volume_binding/volume_binding.h"

namespace berth::plugins {

// Nothing: the plugin has no shape, and scores no pod.
using BindingShape = std::optional<sdk::UtilisationScores>;

// 0..100, by the uses of one node.
int64_t score_of(const std::vector<StorageUse>& uses, const sdk::UtilisationScores& shape);

struct PodClaims {
  bool some = false;
};

// Skips without a shape. With one, pods without claims are scored, too, with 0.
class BindingPreScore final : public sdk::PreScore<PodClaims> {
 public:
  explicit BindingPreScore(const BindingShape& shape) : shape_(shape) {}
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, PodClaims& state) override;
  void pre_score(const Call& call, const berth_feasible* feasible,
                 sdk::PreScoreResult& result) const override;

 private:
  const BindingShape& shape_;
  sdk::ListInput<uint64_t> claims_{*this, "pod.claims"};
};

class BindingScore final : public sdk::Score<ClaimRules> {
 public:
  explicit BindingScore(const BindingShape& shape) : Score(BERTH_NORMALISE_NONE), shape_(shape) {}
  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, ClaimRules& state) override;
  void score(const Call& call, std::span<int64_t> raw) const override;
  void numbers(const Call& call, sdk::Numbers& numbers) const override;

 private:
  const BindingShape& shape_;
  ClaimInputs inputs_{*this};
  NodeInputs nodes_{*this};
};

}  // namespace berth::plugins
