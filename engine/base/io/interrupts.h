#pragma once

// SIGINT and SIGTERM: the first asks a program to end in an orderly way, the second ends it at
// once.

namespace berth {

// Thrown by calls that wait for input or output when the first interrupt ends the wait.
struct Interrupted {};

// From now on the first SIGINT or SIGTERM is noted and ends system calls that wait (EINTR); the
// second has its default action. To be called once, before threads are started.
void note_interrupts();

// True once a signal was noted. Any thread.
bool interrupted();

}  // namespace berth
