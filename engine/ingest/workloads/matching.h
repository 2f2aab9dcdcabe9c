#pragma once

// Selectors, node affinity and taints over plain objects, for controllers, which look at few. The
// scheduler has its own, over columns.

#include "engine/model/objects/objects.h"

namespace berth::ingest {

// True if the selector matches the labels. A requirement with an unknown operator matches nothing.
bool selects(const model::LabelSelector& selector, const model::StringMap& labels);

// True if the DaemonSet controller runs a pod with this spec on the node: the node that the spec
// names, its node selector and required affinity, and the taints NoSchedule and NoExecute. Cordons
// do not count, since their toleration is among those of daemons.
bool daemon_fits(const model::PodSpec& spec, const model::Node& node);
// True if a pod with this spec that runs there may stay: taints NoSchedule do not count.
bool daemon_stays(const model::PodSpec& spec, const model::Node& node);

}  // namespace berth::ingest
