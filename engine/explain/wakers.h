#pragma once

#include "engine/explain/explanation.h"
#include "engine/framework/hints/queueing_hints.h"

namespace berth::explain {

// kube-scheduler's names of the events of one BERTH_ON_ kind with one of these BERTH_DID_ bits:
// "Node/Add", "AssignedPod/Delete"; "Node/All" if all actions of the kind are among them.
// Source: kube-scheduler framework/types.go, ActionType.String and EventResource.
std::vector<std::string> event_names(uint32_t kind, uint32_t actions);

// The events after which kube-scheduler tries a pod of the profile again that this plugin, or an
// extender, refused.
Explanation::Waker waker(const framework::QueueingHints& hints, size_t profile,
                         const std::string& plugin);

}  // namespace berth::explain
