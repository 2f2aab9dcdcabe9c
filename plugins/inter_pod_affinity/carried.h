#pragma once

// The terms that placed pods carry and that match the pod being scheduled.

#include <cstdint>
#include <optional>
#include <string_view>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

// One class of carried terms; a member of the hook that reads it.
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
