#pragma once

// Exceptions that come out of plugins. The contract forbids them, and one that comes all the same
// costs the pod or the start, never the process.
//
// Usage: try { call } catch (...) { text = caught_in("Filter"); }

#include <string>
#include <string_view>

namespace berth::host {

// To be called once before any code of plugins runs. A plugin may bring its own copy of the C++
// run-time, as ours do. Its unwinder then walks through our frames with the help of ours, which has
// to be set up by then: it is when an exception was thrown here.
void prepare_unwinder();

// In a catch (...) block around a call: "threw an exception in Filter: bad luck". Also repairs what
// such a plugin leaves behind, the number of exceptions that are in the air: its own run-time
// counted it up and ours down.
std::string caught_in(std::string_view where);

}  // namespace berth::host
