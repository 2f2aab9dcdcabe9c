#pragma once

// The extenders of a configuration, and what a failed call means. A call fails if no answer comes
// in time, if its status is not 200, or if the answer reports an error or names what it may not.
//
//   call        of an ignorable extender         of another one
//   filter      all nodes asked about pass       no other is asked, the decision fails
//   preempt     all candidates stay              no other is asked, the PostFilter plugin fails
//   bind        the next one is responsible      the binding fails
//   prioritize  it adds no scores                the same
//
// A pod whose decision or binding fails is tried again, as after a plugin's error. One whose
// PostFilter fails stays refused. If a call about the nominated node alone fails, the decision asks
// about all nodes.

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
