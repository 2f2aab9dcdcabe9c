#include "engine/base/program/terminal.h"

#include <sys/ioctl.h>

namespace berth {

int terminal_width(int descriptor) {
  constexpr int kUsual = 80;
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : kUsual;
}

}  // namespace berth
