#pragma once

// What DynamicResources says about pods without resource claims (kube-scheduler v1.34.1,
// plugins/dynamicresources): it lets them pass, and adds to the message of those that fit nowhere.
// Resource claims are not read, so they do not count for pods that have some.

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

using DynamicResources = sdk::HooksBy<0, ClaimsPreFilter, ClaimsPostFilter>;

}  // namespace berth::plugins
