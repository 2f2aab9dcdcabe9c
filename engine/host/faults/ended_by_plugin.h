#pragma once

// The functions exit, _exit, _Exit and quick_exit as plugins and the host itself call them, where
// the program exports them. Called by a plugin they end the process with a message; called by
// others they do what the C library's do.

namespace berth::host {

// Makes the linker take the functions into the program.
void link_exit_functions();

}  // namespace berth::host
