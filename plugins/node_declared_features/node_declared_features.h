#pragma once

// A pod that uses certain features fits only nodes that declare them (kube-scheduler v1.36.2,
// plugins/nodedeclaredfeatures). Without the rule of this name the plugin refuses nothing.

#include <vector>

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/rules.hpp"
#include "berth/sdk/services/signing.hpp"

namespace berth::plugins {

// The features that a pod uses and not every node has. Source:
// component-helpers/nodedeclaredfeatures; the features there that only updates of pods need are
// left out.
class FeatureInputs {
 public:
  explicit FeatureInputs(sdk::Declaration& hook)
      : restarts_(hook, "pod.restarts_all_containers"), user_(hook, "pod.host_user_namespace") {}

  // [init]
  void init(sdk::Host host);
  bool hold() const { return hold_; }  // false: no pod needs a feature
  // String ids of the features that the pod of a call needs.
  template <class Columns>
  std::vector<uint32_t> needed(const Columns& pod) const {
    std::vector<uint32_t> features;
    if (hold_ && pod.one(restarts_) != 0) features.push_back(restart_);
    if (hold_ && pod.one(user_) != 0) features.push_back(user_namespaces_);
    return features;
  }

 private:
  sdk::Input<uint8_t> restarts_, user_;
  bool hold_ = false;
  uint32_t restart_ = 0, user_namespaces_ = 0;  // string ids
};

// Skips the filter for pods that need no feature.
class FeaturesPreFilter final : public sdk::PreFilter<> {
 public:
  void init(sdk::Host host) override { pod_.init(host); }
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override;

 private:
  FeatureInputs pod_{*this};
};

struct FeaturesState {
  std::vector<uint32_t> needed;  // string ids
};

// Refuses as UNSCHEDULABLE_AND_UNRESOLVABLE: an eviction brings no feature. Fails if PreFilter did
// not run for the pod.
class FeaturesFilter final : public sdk::Filter<FeaturesState> {
 public:
  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, FeaturesState& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;

 private:
  bool declares(std::span<const uint32_t> declared, const std::vector<uint32_t>& needed) const;

  sdk::Strings strings_;
  FeatureInputs pod_{*this};
  sdk::ListInput<uint32_t> declared_{*this, "node.declared_features"};
  sdk::Reason missing_{*this, "node(s) didn't match Pod's required features"};
};

// A node that is new or declares other features; other needs of the pod itself.
class FeaturesHints final : public sdk::Hints<> {
 public:
  void init(sdk::Host host) override { pod_.init(host); }
  uint32_t actions(uint32_t kind) const override;
  bool hint(const Call& call, const sdk::Event& event) const override;

 private:
  FeatureInputs pod_{*this};
};

class NodeDeclaredFeatures final
    : public sdk::Hooks<FeaturesPreFilter, FeaturesFilter, FeaturesHints> {
 public:
  void init(sdk::Host host, const sdk::Config&) override {
    sdk::decides_by(host, 0, 0, {"pod.restarts_all_containers", "pod.host_user_namespace"});
  }
};

}  // namespace berth::plugins
