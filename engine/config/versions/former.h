#pragma once

// Configurations that no release of kube-scheduler reads any more and that are not converted: the
// versions v1alpha1, v1alpha2 and v1beta1, and policies.

#include "engine/config/read/faults.h"
#include "engine/document/document.h"

namespace berth::config {

// True if `root` is such a configuration. Then the faults say so, and what v1 has for each field
// and each plugin, predicate and priority of the file that it has not.
bool refuse_former(document::Value root, Faults& faults);

}  // namespace berth::config
