#pragma once

// Notices on stderr about what a configuration asks for and this program does not do.

#include "engine/config/config.h"
#include "engine/runtime/assembly.h"

namespace berth::startup {

// Notices about the rules, settings and arguments without effect, entries of `disabled` that name
// no plugin, and epochs of plugins that no hook reads. Every command that schedules calls it once,
// at the start.
void name_what_is_not_done(const config::Configuration& configuration,
                           const runtime::Assembly& assembly);
// The same for a configuration that was only looked at.
void name_what_is_not_done(const config::Configuration& configuration,
                           const runtime::Findings& findings);

}  // namespace berth::startup
