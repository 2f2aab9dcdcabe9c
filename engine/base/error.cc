#include "engine/base/error.h"

#include <utility>

#include "engine/base/text/printable.h"

namespace berth {
namespace {

std::string whole_text(const Place& place, const std::string& message,
                       const std::vector<std::string>& details) {
  std::string text = place.to_string();
  text = printable(text.empty() ? message : text + ": " + message);
  for (const std::string& detail : details) text += "\n  " + printable(detail);
  return text;
}

}  // namespace

std::string Place::to_string() const {
  std::string text = file;
  if (line != 0) text += (text.empty() ? "line " : ":") + std::to_string(line);
  if (line != 0 && column != 0) text += ":" + std::to_string(column);
  if (byte != kNoByte) text += (text.empty() ? "byte " : ": byte ") + std::to_string(byte);
  if (!field.empty()) text += (text.empty() ? "" : ": ") + field;
  return text;
}

Error::Error(Place place, std::string message) : Error(std::move(place), std::move(message), {}) {}

Error::Error(Place place, std::string message, const std::vector<std::string>& details)
    : std::runtime_error(whole_text(place, message, details)),
      place_(std::move(place)),
      message_(std::move(message)) {}

void Diagnostics::report(Error error) {
  ++count_;
  if (kept_.size() < kKept) kept_.push_back(std::move(error));
}

}  // namespace berth
