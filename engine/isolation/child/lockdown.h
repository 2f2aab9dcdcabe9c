#pragma once

#include <cstdint>

// Limits of the process of a plugin. Both steps last for the rest of the process and hold for all
// of its threads; system calls that are not allowed fail with EPERM.

namespace berth::isolation {

struct Allowed {
  bool files = false;    // open, make, change and remove files
  bool network = false;  // sockets
  // Bytes that may be written to and are not shared (RLIMIT_DATA); 0: no limit. The lanes, of which
  // those have memory that were in use, and the columns are shared with the engine and do not
  // count.
  uint64_t memory = 0;
};

// Before the plugin's code is loaded: no new privileges, no core dump, nothing but memory within
// the limit, threads,
// time, and reading files, which the loader needs. No program can be started, no socket made.
// Throws Error if the system refuses.
void lock_for_loading(const Allowed& allowed);

// After that: no file can be opened either. Throws Error if the system refuses.
void lock_for_calls(const Allowed& allowed);

}  // namespace berth::isolation
