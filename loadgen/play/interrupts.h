#pragma once

// Signals: the first SIGINT or SIGTERM asks a load to end in order, the second ends it at once.

namespace berth::loadgen {

// Installs handlers: SIGINT and SIGTERM are counted and no longer end the process. SIGPIPE is
// ignored, so writing to a pipe without a reader fails with an error.
void watch_interrupts();

int interrupts();        // number of signals received
int interrupt_signal();  // the first signal received; 0: none

// Thrown by a write that is waiting when a second signal arrives.
struct Interrupted {};

}  // namespace berth::loadgen
