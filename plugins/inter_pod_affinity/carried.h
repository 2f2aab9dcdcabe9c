#pragma once

// The symmetric half of affinity: terms of placed pods that match the pod to be placed. The filter
// reads the required anti-affinity of placed pods here, the score their preferred terms.

#include <cstdint>
#include <optional>
#include <string_view>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

// One class of carried terms. A hook has one as a member for each class that it reads.
class Carried {
 public:
  // [init] Declares the column of the pod's match set.
  void init(sdk::Declaration& hook, const sdk::Counts& counts, std::string_view terms,
            int64_t factor);

  // [cycle] The pod's match set; 0: no term can match the pod.
  uint32_t match_set(const sdk::Template& pod) const { return set_ ? pod.one(*set_) : 0; }

 private:
  std::optional<sdk::Input<uint32_t>> set_;
};

}  // namespace berth::plugins
