#pragma once

// A program's manual page.

#include <string>
#include <vector>

#include "engine/base/program/command_table.h"

namespace berth {

// The page for section 1, in roff with the macros of man(7): all commands and options.
std::string manual_page(const std::string& program, const std::vector<CommandInfo>& table);

}  // namespace berth
