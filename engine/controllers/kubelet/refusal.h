#pragma once

// Why a kubelet does not start a pod that is bound to its node. The pod's phase becomes Failed.

#include <string>

namespace berth::controllers::kubelet {

struct Refusal {
  std::string reason, message;
  bool operator==(const Refusal&) const = default;
};

}  // namespace berth::controllers::kubelet
