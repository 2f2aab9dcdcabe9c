#pragma once

#include <string>

namespace berth {

// True if the descriptor is a terminal that can erase a line: not one that TERM calls dumb.
bool can_redraw(int descriptor);

// The number of columns of a terminal; 80 if the descriptor is not a terminal or does not report
// its size.
int terminal_width(int descriptor);

// Throws Error if the path, "-" for standard output, leads to a terminal: `what` is not text, such
// as frames, and does not go there.
void refuse_on_terminal(const std::string& path, const char* what);

}  // namespace berth
