#pragma once

// The functions exit, _exit, _Exit and quick_exit, as plugins and the host itself call them, where
// the program exports them. Called by a plugin they end the process with a message; called by
// others they do what the C library's do, and so do _exit and _Exit in a process that a plugin
// forked.

namespace berth::host {

// To be called at the start, and in a child that the host itself forked: this process is not one
// that a plugin forked. Makes the linker take the functions into the program.
void note_process();

}  // namespace berth::host
