#pragma once

// Ctrl-C, and SIGTERM likewise: the first ends the run in an orderly way, the second at once. A
// process and its children are one in this, whichever of them the signal is sent to.

#include <sys/types.h>

namespace berth::bench {

// From here on SIGINT and SIGTERM are noted; the second of them, whichever it is, ends the process.
void note_interrupts();
// Whether one came here or to a child.
bool interrupted();

// In a child, first of all: it notes signals for all, and ends when its parent does, however that
// came about. `parent`: getpid() of the parent, before the fork.
void end_with_parent(pid_t parent);

}  // namespace berth::bench
