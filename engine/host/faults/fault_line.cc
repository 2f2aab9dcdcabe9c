#include "engine/host/faults/fault_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>

#include "engine/base/text/printable.h"

namespace berth::host {

namespace {

// The former one is closed by the next call; -1: none.
constinit std::atomic<int> standard_error = -1;

bool write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(to, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

}  // namespace

void note_standard_error() {
  // Beyond the numbers that files get soon, one of which a plugin might close.
  constexpr int kFrom = 500;
  const int former = standard_error.exchange(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, kFrom));
  if (former >= 0) ::close(former);
}

FaultLine::FaultLine() { *this << "berth: error: "; }

FaultLine& FaultLine::operator<<(std::string_view text) {
  const size_t room = bytes_.size() - 1 - size_;  // one for the line break
  size_ += text.copy(bytes_.data() + size_, room);
  return *this;
}

FaultLine& FaultLine::operator<<(uint64_t number) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return *this << std::string_view(digits.data(), end);
}

FaultLine& FaultLine::hexadecimal(uint64_t number) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return *this << "0x" << std::string_view(digits.data(), end);
}

FaultLine& FaultLine::quote(std::string_view text) {
  size_ += printable(text, {bytes_.data() + size_, bytes_.size() - 1 - size_});
  return *this;
}

FaultLine& FaultLine::plugin(const PluginFunction& function) {
  return (*this << "plugin \"").quote(function.plugin) << "\"";
}

FaultLine& FaultLine::place(const PluginFunction& function) {
  *this << " in " << function.function;
  return pod();
}

FaultLine& FaultLine::pod() {
  const AboutPod* pod = AboutPod::current();
  if (pod == nullptr) return *this;
  *this << " of pod \"";
  (quote(pod->namespace_name()) << "/").quote(pod->name()) << "\"";
  if (pod->others() != 0) *this << " and " << pod->others() << " more";
  return *this;
}

FaultLine& FaultLine::file(const PluginFunction& function) {
  if (function.file.empty()) return *this;
  return (*this << " (").quote(function.file) << ")";
}

void FaultLine::write() {
  bytes_[size_++] = '\n';
  const std::string_view line(bytes_.data(), size_);
  if (const int kept = standard_error.load(); kept < 0 || !write_all(kept, line))
    write_all(STDERR_FILENO, line);
}

}  // namespace berth::host
