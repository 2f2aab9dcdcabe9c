#pragma once

namespace berth {

// The number of columns of a terminal; 80 if the descriptor is not a terminal or does not report
// its size.
int terminal_width(int descriptor);

}  // namespace berth
