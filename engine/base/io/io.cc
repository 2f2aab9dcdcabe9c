#include "engine/base/io/io.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/io/interrupts.h"

namespace berth {
namespace {

constexpr size_t kPiece = size_t{1} << 16;

[[noreturn]] void fail_with_errno(const std::string& name, const char* what) {
  const std::string reason = std::strerror(errno);
  Place place;
  place.file = name;
  throw Error(std::move(place), std::string(what) + ": " + reason);
}

// True if the failed call can be repeated: a signal interrupted it, or the descriptor is
// non-blocking (as one inherited from another program may be), in which case this waits until it is
// ready. Throws Interrupted for a read that the first interrupt ended.
bool again(int number, short events) {
  if (errno == EINTR && (events & POLLIN) != 0 && interrupt_ends_waits()) throw Interrupted{};
  if (errno == EAGAIN) {
    pollfd wanted{.fd = number, .events = events, .revents = 0};
    return ::poll(&wanted, 1, -1) >= 0 || errno == EINTR;
  }
  return errno == EINTR;
}

Descriptor open_file(const std::string& path, int flags, const char* what) {
  const int number = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  // A named pipe opens when somebody opens its other end.
  if (number < 0 && errno == EINTR && interrupt_ends_waits()) throw Interrupted{};
  if (number < 0) fail_with_errno(path, what);
  return Descriptor(number);
}

// Opening a directory succeeds and only the first read fails; report it here.
Descriptor open_for_reading(const std::string& path) {
  if (path == "-") return Descriptor(STDIN_FILENO);
  Descriptor descriptor = open_file(path, O_RDONLY, "cannot be opened");
  struct stat status = {};
  if (::fstat(descriptor.number(), &status) == 0 && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    fail_with_errno(path, "cannot be read");
  }
  return descriptor;
}

Descriptor open_for_writing(const std::string& path) {
  if (path == "-") return Descriptor(STDOUT_FILENO);
  return open_file(path, O_WRONLY | O_CREAT | O_TRUNC, "cannot be opened for writing");
}

size_t take(std::span<const uint8_t>& from, std::span<uint8_t> out, size_t most) {
  const size_t count = std::min({from.size(), out.size(), most});
  std::copy_n(from.begin(), count, out.begin());
  from = from.subspan(count);
  return count;
}

}  // namespace

std::string read_all(ByteSource& source, size_t most) {
  std::string text;
  std::vector<uint8_t> piece(kPiece);
  while (const size_t size = source.read(piece)) {
    text.append(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(size));
    if (text.size() > most)
      throw Error(Place{.file = source.name(), .field = {}},
                  "is larger than " + std::to_string(most) + " bytes, the most that is read");
  }
  return text;
}

std::string read_file(const std::string& path, size_t most) {
  FileSource source(path);
  return read_all(source, most);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    number_ = std::exchange(other.number_, -1);
  }
  return *this;
}

void Descriptor::reset() {
  if (number_ > STDERR_FILENO) ::close(number_);
  number_ = -1;
}

FileSource::FileSource(std::string path)
    : name_(std::move(path)), descriptor_(open_for_reading(name_)) {}

FileSource::FileSource(Descriptor descriptor, std::string name)
    : name_(std::move(name)), descriptor_(std::move(descriptor)) {}

size_t FileSource::read(std::span<uint8_t> out) {
  BERTH_ASSERT(!out.empty());
  for (;;) {
    const ssize_t count = ::read(descriptor_.number(), out.data(), out.size());
    if (count >= 0) return static_cast<size_t>(count);
    if (!again(descriptor_.number(), POLLIN)) fail_with_errno(name_, "cannot be read");
  }
}

// The end of a pipe and an error count as ready: read() tells of them without waiting.
bool FileSource::ready() {
  pollfd wanted{.fd = descriptor_.number(), .events = POLLIN, .revents = 0};
  return ::poll(&wanted, 1, 0) != 0;
}

FileSink::FileSink(std::string path)
    : name_(std::move(path)), descriptor_(open_for_writing(name_)) {}

FileSink::FileSink(Descriptor descriptor, std::string name)
    : name_(std::move(name)), descriptor_(std::move(descriptor)) {}

void FileSink::write(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_.number(), bytes.data(), bytes.size());
    if (count >= 0) {
      bytes = bytes.subspan(static_cast<size_t>(count));
    } else if (!again(descriptor_.number(), POLLOUT)) {
      fail_with_errno(name_, "cannot be written");
    }
  }
}

size_t MemorySource::read(std::span<uint8_t> out) {
  BERTH_ASSERT(!out.empty() && piece_ != 0);
  return take(bytes_, out, piece_);
}

void MemorySink::write(std::span<const uint8_t> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

size_t ResumedSource::read(std::span<uint8_t> out) {
  std::span<const uint8_t> left = std::span<const uint8_t>(beginning_).subspan(given_);
  if (left.empty()) return rest_->read(out);
  const size_t count = take(left, out, out.size());
  given_ += count;
  return count;
}

}  // namespace berth
