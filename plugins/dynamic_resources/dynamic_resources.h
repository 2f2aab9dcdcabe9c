#pragma once

// The answers of DynamicResources about pods without resource claims (kube-scheduler v1.34.1,
// plugins/dynamicresources): it lets them pass, and adds to the message of those that fit nowhere.
// Resource claims are not read, so they do not count for pods that have some. v1.36.2 scores, too:
// the host calls that point only where the rule ClaimsScore holds.

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/signing.hpp"

namespace berth::plugins {

// Skips, as kube-scheduler does for pods without claims.
class ClaimsPreFilter final : public sdk::PreFilter<> {
 public:
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override;
};

// Answers UNSCHEDULABLE with the text that kube-scheduler adds; nominates nothing. Fails for a pod
// that the PreFilter hook was not asked about, as in kube-scheduler.
class ClaimsPostFilter final : public sdk::PostFilter<> {
 public:
  void post_filter(const Call& call, std::span<const uint8_t> codes, uint64_t draw,
                   berth_nomination& nomination) const override;
};

// 0 on every node, as for pods without claims. Fails as the PostFilter does.
class ClaimsScore final : public sdk::Score<> {
 public:
  ClaimsScore() : Score(BERTH_NORMALISE_MAX) {}

  void score(const Call& call, std::span<int64_t> raw) const override;
};

class DynamicResources final : public sdk::Plugin {
 public:
  DynamicResources() { add(pre_filter_, post_filter_, score_); }

  static void validate(const sdk::Config& config);
  void init(sdk::Host host, const sdk::Config&) override { sdk::decides_by(host, 0); }

 private:
  ClaimsPreFilter pre_filter_;
  ClaimsPostFilter post_filter_;
  ClaimsScore score_;
};

}  // namespace berth::plugins
