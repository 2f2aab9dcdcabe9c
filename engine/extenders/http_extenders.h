#pragma once

// The extenders of a configuration.

#include <functional>
#include <memory>

#include "engine/config/config.h"
#include "engine/extenders/whole_objects.h"
#include "engine/framework/decision/extenders.h"

namespace berth::extenders {

// Told about calls whose failure changes nothing else: of an ignorable extender, and of prioritize.
using OnIgnored = std::function<void(const std::string& message)>;

// Null if the configuration has no extenders. Those that are ignorable are asked after the others.
// The arguments outlive the result. Throws Error for one that cannot be called.
std::unique_ptr<framework::Extenders> make_extenders(const config::Configuration& configuration,
                                                     model::Cluster& cluster,
                                                     const WholeObjects& whole,
                                                     OnIgnored on_ignored);

}  // namespace berth::extenders
