#pragma once

// Which plugin an address of code belongs to. Plugins are never unloaded.

#include <cstdint>

#include "engine/host/faults/in_plugin.h"

namespace berth::host {

// Notes the code of the object that the loader opened under this name. The texts of `owner` are
// copied and live as long as the process. Without effect if the loader has no such object, and
// after 4,096 objects. Thread-safe.
void note_loaded_code(const char* loader_name, const PluginFunction& owner);

// The plugin that has this code, as a function outside of any call; null: none. Takes no lock and
// allocates nothing.
const PluginFunction* loaded_code_at(uintptr_t address);

// The plugin of the innermost frame of the calling thread's stack that is in such code; null: none.
// Allocates nothing. May itself fail if the stack is damaged.
const PluginFunction* loaded_code_on_stack();

// The address that a thread was at when a signal interrupted it: of the handler's third argument. 0
// if this processor's is not known.
uintptr_t program_counter(const void* context);

}  // namespace berth::host
