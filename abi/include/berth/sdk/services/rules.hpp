#pragma once

// The rules of one version of kube-scheduler by which the host decides (berth/abi/rules.h). Since
// ABI 1.3.

#include <string_view>

#include "berth/abi/rules.h"
#include "berth/sdk/host.hpp"

namespace berth::sdk {

class Rules : Service<berth_rules_service> {
 public:
  Rules() = default;
  explicit Rules(Host host) : Service(host, BERTH_RULES_SERVICE) {}

  // [init] Throws Failure for a name that the host does not know.
  bool holds(std::string_view name) const {
    const int32_t answer = table_->holds(host_, to_abi(name));
    if (answer == BERTH_RULE_UNKNOWN) throw Failure(concat("this host has no rule ", name));
    return answer == BERTH_RULE_YES;
  }
  // [init] The version of Kubernetes, "1.34". Valid as long as the instance.
  std::string_view version() const {
    berth_string version = {};
    table_->version(host_, &version);
    return to_view(version);
  }
};

}  // namespace berth::sdk
