#pragma once

// Which fields a pod template can have, so that one that is misspelt is not passed over.

#include <vector>

#include "engine/document/document.h"

namespace berth::loadgen {

// The keys of a PodTemplateSpec that no such object has, at whatever depth scheduling looks at, in
// the order of the text. What other parts (volumes, probes) hold within is not looked at.
std::vector<document::Value> unknown_pod_fields(document::Value pod_template);

}  // namespace berth::loadgen
