#pragma once

// Terms that placed pods carry and that match the pod which is to be placed.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

// Weights by the domains of one topology key.
struct DomainSum {
  sdk::Slot<uint32_t> domains;
  sdk::Slot<int64_t> sums;
};

// One class of carried terms, as a hook reads it; a member of the hook.
class Carried {
 public:
  // [init] Declares the pod's match set.
  void init(sdk::Declaration& hook, const sdk::Counts& counts, std::string_view terms,
            int64_t factor);

  // [cycle] The pod's match set; 0: nothing can match it.
  uint32_t match_set(const sdk::Template& pod) const { return set_ ? pod.one(*set_) : 0; }

 private:
  std::optional<sdk::Input<uint32_t>> set_;
};

// Adds the columns of a match set, which may be 0.
void add_sums(sdk::Preparation& prepared, const sdk::Counts& counts, const sdk::Strings& strings,
              uint32_t match_set, std::vector<DomainSum>& sums);

}  // namespace berth::plugins
