#include "engine/host/faults/fault_line.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "engine/base/text/printable.h"

namespace berth::host {

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
  std::string_view line(bytes_.data(), size_);
  while (!line.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, line.data(), line.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    line.remove_prefix(static_cast<size_t>(count));
  }
}

}  // namespace berth::host
