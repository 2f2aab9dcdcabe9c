#pragma once

// Calls of Filter and Score that go to a plugin's process together (host/calls/together.h).

#include <memory>

#include "engine/host/calls/together.h"
#include "engine/isolation/parent/plugin.h"

namespace berth::isolation {

std::unique_ptr<host::ProcessCalls> make_calls_together(const IsolatedPlugin& plugin);

}  // namespace berth::isolation
