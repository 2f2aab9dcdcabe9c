#include "engine/base/io/unix_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/base/error.h"

namespace berth {
namespace {

constexpr int kAskEveryMs = 100;

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  Place place;
  place.file = name;
  throw Error(std::move(place), what);
}

[[noreturn]] void fail_with_reason(const std::string& name, const char* what) {
  fail(name, std::string(what) + ": " + std::strerror(errno));
}

sockaddr_un address_of(const std::string& path, const std::string& name) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path)
    fail(name, "the path of a socket has 1 to " + std::to_string(sizeof address.sun_path - 1) +
                   " bytes, this one has " + std::to_string(path.size()));
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

Descriptor new_socket(const std::string& name) {
  const int number = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (number < 0) fail_with_reason(name, "a socket cannot be made");
  return Descriptor(number);
}

// A user with write permission for the directory can replace our socket by another one, unless the
// directory is sticky, like /tmp, so that only owners can remove files.
void check_directory(const std::string& path, const std::string& name) {
  const size_t slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "."
                                : slash == 0               ? "/"
                                                           : path.substr(0, slash);
  struct stat status = {};
  if (::stat(directory.c_str(), &status) != 0) fail_with_reason(name, "its directory");
  const bool others_write = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  if (others_write && (status.st_mode & S_ISVTX) == 0)
    fail(name, "others may write to the directory " + directory +
                   ", and so put another socket in its place: choose a directory of your own");
}

// True if a socket is at the path and no process has it open: its owner ended without removing it.
// Connecting a datagram socket tests this without disturbing a listener: it fails with ECONNREFUSED
// if no process has the socket open, and with EPROTOTYPE if one has.
bool is_abandoned(const sockaddr_un& address) {
  struct stat status = {};
  if (::lstat(address.sun_path, &status) != 0 || !S_ISSOCK(status.st_mode)) return false;
  const Descriptor probe(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto* const at = reinterpret_cast<const sockaddr*>(&address);
  return probe.number() >= 0 && ::connect(probe.number(), at, sizeof address) != 0 &&
         errno == ECONNREFUSED;
}

// The socket is made for this user alone. Returns errno, 0 if it is bound.
int bind_privately(int number, const sockaddr_un& address) {
  const mode_t before = ::umask(S_IXUSR | S_IRWXG | S_IRWXO);
  const int bound = ::bind(number, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const int reason = bound == 0 ? 0 : errno;
  ::umask(before);
  return reason;
}

// If two listeners find an abandoned socket at the same moment, both may remove the file at the
// path; then the path belongs to the slower one.
void bind_at(int number, const sockaddr_un& address, const std::string& name) {
  int reason = bind_privately(number, address);
  if (reason == EADDRINUSE && is_abandoned(address) && ::unlink(address.sun_path) == 0)
    reason = bind_privately(number, address);
  if (reason == EADDRINUSE)
    fail(name, "there is something at this path already: remove it, or choose another");
  errno = reason;
  if (reason != 0) fail_with_reason(name, "cannot be listened at");
}

[[noreturn]] void fail_to_connect(const std::string& name, int reason) {
  if (reason == ECONNREFUSED)
    fail(name,
         "nobody listens there any more: the program that made this socket ended without removing "
         "it; start one that listens");
  if (reason == ENOENT)
    fail(name,
         "nobody listens there: there is no such socket; start the program that listens first");
  errno = reason;
  fail_with_reason(name, "nobody can be connected to there");
}

}  // namespace

std::optional<std::string> unix_socket_path(const std::string& name) {
  constexpr std::string_view kPrefix = "unix:";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  return name.substr(kPrefix.size());
}

Descriptor connect_unix_socket(const std::string& path, const std::string& name) {
  const sockaddr_un address = address_of(path, name);
  Descriptor descriptor = new_socket(name);
  const auto* const at = reinterpret_cast<const sockaddr*>(&address);
  while (::connect(descriptor.number(), at, sizeof address) != 0) {
    if (errno != EINTR) fail_to_connect(name, errno);
  }
  return descriptor;
}

UnixListener::UnixListener(std::string path, std::string name)
    : path_(std::move(path)), name_(std::move(name)) {
  const sockaddr_un address = address_of(path_, name_);
  check_directory(path_, name_);
  Descriptor descriptor = new_socket(name_);
  bind_at(descriptor.number(), address, name_);
  descriptor_ = std::move(descriptor);
  if (::listen(descriptor_.number(), 1) != 0) {
    const int listening = errno;
    ::unlink(path_.c_str());
    errno = listening;
    fail_with_reason(name_, "cannot be listened at");
  }
}

UnixListener::~UnixListener() { ::unlink(path_.c_str()); }

std::optional<Descriptor> UnixListener::accept(const std::function<bool()>& stop) {
  for (;;) {
    if (stop()) return std::nullopt;
    pollfd wanted{.fd = descriptor_.number(), .events = POLLIN, .revents = 0};
    const int ready = ::poll(&wanted, 1, kAskEveryMs);
    if (ready < 0 && errno != EINTR) fail_with_reason(name_, "cannot be listened at");
    if (ready <= 0) continue;
    const int number = ::accept4(descriptor_.number(), nullptr, nullptr, SOCK_CLOEXEC);
    if (number >= 0) return Descriptor(number);
    if (errno != EINTR && errno != ECONNABORTED)
      fail_with_reason(name_, "a connection cannot be taken");
  }
}

}  // namespace berth
