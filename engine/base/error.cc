#include "engine/base/error.h"

#include <utility>

namespace berth {
namespace {

std::string with_place(const Place& place, const std::string& message) {
  std::string text;
  for (const char c : place.to_string()) text += c == '\n' ? std::string("\\n") : std::string(1, c);
  if (!text.empty()) text += ": ";
  return printable(text + message);
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte >= 0x20 && byte != 0x7f) || c == '\n') {
      out += c;
    } else {
      out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return out;
}

std::string Place::to_string() const {
  std::string text = file;
  if (line != 0) text += (text.empty() ? "line " : ":") + std::to_string(line);
  if (line != 0 && column != 0) text += ":" + std::to_string(column);
  if (byte != kNoByte) text += (text.empty() ? "byte " : ": byte ") + std::to_string(byte);
  if (!field.empty()) text += (text.empty() ? "" : ": ") + field;
  return text;
}

Error::Error(Place place, std::string message)
    : std::runtime_error(with_place(place, message)),
      place_(std::move(place)),
      message_(std::move(message)) {}

void Diagnostics::report(Error error) {
  ++count_;
  if (kept_.size() < kKept) kept_.push_back(std::move(error));
}

}  // namespace berth
