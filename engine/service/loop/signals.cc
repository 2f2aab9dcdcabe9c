#include "engine/service/loop/signals.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

namespace berth::service {
namespace {

sigset_t taken_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGUSR2}) sigaddset(&set, signal);
  return set;
}

int opened(int file, const char* what) {
  if (file < 0) throw std::system_error(errno, std::generic_category(), what);
  return file;
}

}  // namespace

Signals::Signals(std::function<void(int)> take) : take_(std::move(take)) {
  const sigset_t set = taken_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = opened(signalfd(-1, &set, SFD_CLOEXEC), "signalfd");
  end_ = opened(eventfd(0, EFD_CLOEXEC), "eventfd");
  thread_ = std::thread([this] { run(); });
}

Signals::~Signals() {
  eventfd_write(end_, 1);
  thread_.join();
  close(end_);
  close(signals_);
}

void Signals::run() {
  for (;;) {
    pollfd files[] = {{signals_, POLLIN, 0}, {end_, POLLIN, 0}};
    if (poll(files, 2, -1) < 0 && errno != EINTR) return;
    if ((files[1].revents & POLLIN) != 0) return;
    signalfd_siginfo came{};
    if ((files[0].revents & POLLIN) != 0 && read(signals_, &came, sizeof came) == sizeof came)
      take_(static_cast<int>(came.ssi_signo));
  }
}

}  // namespace berth::service
