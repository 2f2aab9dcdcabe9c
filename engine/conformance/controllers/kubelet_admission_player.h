#pragma once

// Plays how a kubelet starts the pods that are bound to its node
// (engine/controllers/kubelet/admission).

#include <memory>

#include "engine/conformance/controllers/timeline.h"

namespace berth::conformance {

std::unique_ptr<Player> make_kubelet_admission_player(document::Value config, Entries& entries);

}  // namespace berth::conformance
