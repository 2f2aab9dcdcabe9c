#pragma once

// Handling of SIGINT and SIGTERM: the first signal ends the run in order, the second ends it at
// once. Parent and child share this state, whichever of them receives the signal.

#include <sys/types.h>

namespace berth::bench {

// Installs the handlers. From now on the first signal is recorded and the second ends the process.
void note_interrupts();
// True if this process or a child received a signal.
bool interrupted();

// Call this first in a child: it records signals for all processes and makes the kernel kill the
// child when its parent ends. `parent` is getpid() of the parent, taken before the fork.
void end_with_parent(pid_t parent);

}  // namespace berth::bench
