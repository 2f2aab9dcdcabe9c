#pragma once

// kube-scheduler's names for the ways of pods through its queues.

#include <string>

#include "engine/queue/move_counts.h"

namespace berth::runtime {

// The label of the event that moved pods: "NodeAdd", "AssignedPodDelete", "BackoffComplete".
// Source: kube-scheduler v1.34.1, pkg/scheduler/framework/events.go and ClusterEvent.Label.
std::string move_name(const queue::Move& move);

// "Active", "Backoff" or "Unschedulable"; gated pods are among the unschedulable ones.
const char* queue_name(queue::Place place);

}  // namespace berth::runtime
