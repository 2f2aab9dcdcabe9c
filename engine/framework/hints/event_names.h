#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace berth::framework {

// kube-scheduler's names of the events of one BERTH_ON_ kind with one of these BERTH_DID_ bits:
// "Node/Add", "AssignedPod/Delete"; "Node/All" if all actions of the kind are among them.
// Source: kube-scheduler framework/types.go, ActionType.String and EventResource.
std::vector<std::string> event_names(uint32_t kind, uint32_t actions);

}  // namespace berth::framework
