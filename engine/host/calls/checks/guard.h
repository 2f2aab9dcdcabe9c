#pragma once

// Exceptions that leave a plugin. The contract forbids them; one that occurs nevertheless fails the
// pod or the start, not the process.
//
// Usage: try { call } catch (...) { text = caught_in(function); }

#include <string>

#include "engine/host/faults/in_plugin.h"

namespace berth::host {

// Call once before any code of a plugin runs. A plugin may contain its own copy of the C++ runtime,
// as the plugins built here do. Its unwinder walks through the host's frames with the help of the
// host's unwinder, which must be initialised by then; throwing an exception in the host initialises
// it.
void prepare_unwinder();

// Call in a catch (...) block around a call. Returns "threw an exception in Filter: bad luck". Also
// repairs the host's count of uncaught exceptions, which such a plugin leaves wrong: its own
// runtime incremented its count, and the host's runtime decremented the host's.
//
// An end of the thread (pthread_exit, a cancellation) comes the same way, and cannot be stopped:
// the C library aborts the process.
std::string caught_in(const PluginFunction& function);

}  // namespace berth::host
