#pragma once

#include <string>

namespace berth::model {

// The name of the claim that a pod's ephemeral volume has. Source: kubernetes component-helpers,
// storage/ephemeral.
inline std::string ephemeral_claim_name(const std::string& pod, const std::string& volume) {
  return pod + "-" + volume;
}

}  // namespace berth::model
