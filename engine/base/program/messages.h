#pragma once

// Messages of the programs on standard error, in the style that CONTRIBUTING.md describes. Nothing
// else prints them, but for the last line of a process that cannot go on (assert.h, bug.h, and the
// faults of plugins).

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/base/error.h"

namespace berth {

// The name that messages begin with: "berth" until a program sets its own, as run_program() does.
// Call set_program_name() before other threads exist.
void set_program_name(std::string name);
const std::string& program_name();

// Prints "PROGRAM: MESSAGE" and a line feed. Lines of the message below its first are indented
// details. Requires: a printable message (text/printable.h).
void say(std::string_view message);

// The same after the name of a command, such as "berth run".
void say_as(std::string_view command, std::string_view message);

// Says each kept fault up to `most`, then how many more there are.
void say_faults(const Diagnostics& faults, size_t most = Diagnostics::kKept);

}  // namespace berth
