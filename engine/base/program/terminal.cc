#include "engine/base/program/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "engine/base/error.h"

namespace berth {

bool can_redraw(int descriptor) {
  const char* kind = std::getenv("TERM");
  return isatty(descriptor) != 0 && (kind == nullptr || std::string_view(kind) != "dumb");
}

int terminal_width(int descriptor) {
  constexpr int kUsual = 80;
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : kUsual;
}

void refuse_on_terminal(const std::string& path, const char* what) {
  if (path != "-" || isatty(STDOUT_FILENO) == 0) return;
  throw Error(std::string("standard output: is a terminal, and ") + what +
              " are not text: name a file, or send them through a pipe");
}

}  // namespace berth
