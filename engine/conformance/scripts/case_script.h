#pragma once

// Cases whose plugins' answers are data: the case's `script`.

#include "engine/config/config.h"
#include "engine/document/document.h"

namespace berth::conformance {

// Makes {"script": SCRIPT} the arguments of the plugins First, Second and Third in every profile.
// Returns the document that owns the arguments and outlives the configuration's use.
document::Document add_script(document::Value script, config::Configuration& configuration);

}  // namespace berth::conformance
