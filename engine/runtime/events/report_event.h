#pragma once

// The events of events.k8s.io/v1 that follow from reports: what kube-scheduler tells users of a
// step in a pod's life.

#include <optional>

#include "engine/events/event.h"
#include "engine/model/cluster/cluster.h"
#include "engine/runtime/report.h"

namespace berth::runtime {

// Nothing: the report is about nothing that users are told. To be called within the call that
// delivers the report, with the cluster of the core. Of Evicted it is true once the victim was
// deleted.
std::optional<events::Event> event_of(const Report& report, const model::Cluster& cluster);

}  // namespace berth::runtime
