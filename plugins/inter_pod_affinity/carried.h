#pragma once

// Terms that placed pods carry and that match the pod which is to be placed.

#include <cstdint>
#include <optional>
#include <string_view>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

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

}  // namespace berth::plugins
