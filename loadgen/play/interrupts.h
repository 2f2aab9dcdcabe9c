#pragma once

// Ctrl-C and its like: the first asks a load to end well, the second to end at once.

namespace berth::loadgen {

// From now on SIGINT and SIGTERM are counted in place of ending the process, and a pipe without a
// reader is an error of the write.
void watch_interrupts();

int interrupts();        // how many came
int interrupt_signal();  // the first; 0: none came

// What a second interrupt makes of a write that waits.
struct Interrupted {};

}  // namespace berth::loadgen
