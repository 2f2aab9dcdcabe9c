#pragma once

// The settings of floating-point arithmetic of a thread: rounding, exceptions, denormal numbers. A
// plugin that leaves them changed would change what others compute on that thread, without a sign.

#include <string>
#include <string_view>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace berth::host {

// False also where this processor's settings are not known. Costs a few cycles.
inline bool floating_point_changed() {
#if defined(__x86_64__)
  constexpr unsigned int kFlags = 0x3F;  // say what happened, and change nothing
  constexpr unsigned int kDefault = 0x1F80;
  return (_mm_getcsr() & ~kFlags) != kDefault;
#else
  return false;
#endif
}

// To be called after a function of a plugin, on its thread. If it changed the settings, restores
// them and returns what is wrong, as what the plugin did; else an empty text.
std::string restore_floating_point(std::string_view function);

}  // namespace berth::host
