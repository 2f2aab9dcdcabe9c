#pragma once

#include "engine/explain/explanation.h"
#include "engine/framework/hints/queueing_hints.h"

namespace berth::explain {

// The events after which kube-scheduler tries a pod of the profile again that this plugin, or an
// extender, refused.
Explanation::Waker waker(const framework::QueueingHints& hints, size_t profile,
                         const std::string& plugin);

}  // namespace berth::explain
