#include "loadgen/write/delivery.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/io/interrupts.h"
#include "engine/base/io/unix_socket.h"

namespace berth::loadgen {
namespace {

constexpr int kAskEveryMs = 100;

}  // namespace

Delivery::Delivery(Descriptor descriptor, std::string name, Options options)
    : descriptor_(std::move(descriptor)), name_(std::move(name)), options_(std::move(options)) {
  struct stat status = {};
  if (::fstat(descriptor_.number(), &status) != 0) fail(std::strerror(errno));
  if (S_ISFIFO(status.st_mode)) kind_ = Kind::kPipe;
  if (S_ISSOCK(status.st_mode)) kind_ = Kind::kSocket;
}

void Delivery::fail(const std::string& what) const {
  throw Error(Place{.file = name_, .field = {}}, what);
}

// Never blocks on a reader that may stop. An inherited descriptor is shared with other processes,
// so its mode (O_NONBLOCK) is left alone; a pipe that poll() reports as writable takes PIPE_BUF
// bytes without blocking.
long Delivery::write_some(std::span<const uint8_t> bytes) {
  switch (kind_) {
    case Kind::kSocket:
      return ::send(descriptor_.number(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    case Kind::kPipe:
      wait();
      return ::write(descriptor_.number(), bytes.data(),
                     std::min(bytes.size(), static_cast<size_t>(PIPE_BUF)));
    case Kind::kFile:
      break;
  }
  return ::write(descriptor_.number(), bytes.data(), bytes.size());
}

void Delivery::wait() {
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> begin;
  for (;;) {
    pollfd wanted{.fd = descriptor_.number(), .events = POLLOUT, .revents = 0};
    const int ready = ::poll(&wanted, 1, begin ? kAskEveryMs : 0);
    if (ready > 0) return;  // writable, or an error that write() will report
    if (ready < 0 && errno != EINTR)
      fail(std::string("cannot be waited for: ") + std::strerror(errno));
    if (options_.stop()) throw Interrupted();
    const Clock::time_point now = Clock::now();
    if (!begin) begin = now;
    if (options_.give_up && now - *begin >= *options_.give_up)
      fail("no reader for too long: given up");
  }
}

void Delivery::write(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const long count = write_some(bytes);
    if (count >= 0) {
      bytes = bytes.subspan(static_cast<size_t>(count));
    } else if (errno == EPIPE || errno == ECONNRESET) {
      fail("the reader has closed it");
    } else if (errno == EAGAIN) {
      wait();
    } else if (errno == EINTR) {
      if (options_.stop()) throw Interrupted();
    } else {
      fail(std::string("cannot be written: ") + std::strerror(errno));
    }
  }
}

Descriptor open_for_delivery(const std::string& output) {
  if (output == "-") return Descriptor(STDOUT_FILENO);
  if (const std::optional<std::string> path = unix_socket_path(output))
    return connect_unix_socket(*path, output);
  const int number = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (number < 0)
    throw Error(Place{.file = output, .field = {}},
                std::string("cannot be opened for writing: ") + std::strerror(errno));
  return Descriptor(number);
}

}  // namespace berth::loadgen
