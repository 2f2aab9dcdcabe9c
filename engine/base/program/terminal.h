#pragma once

namespace berth {

// How many columns a line has; 80 where the descriptor is no terminal, or does not say.
int terminal_width(int descriptor);

}  // namespace berth
