#pragma once

// Finds misspelt fields in pod templates.

#include <vector>

#include "engine/document/document.h"

namespace berth::loadgen {

// The keys of `pod_template` that a PodTemplateSpec does not have, in text order. Only parts that
// matter to scheduling are checked at every depth; the contents of volumes, probes and the like are
// skipped.
std::vector<document::Value> unknown_pod_fields(document::Value pod_template);

}  // namespace berth::loadgen
