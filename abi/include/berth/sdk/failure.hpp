#pragma once

// No exception crosses the boundary: every function that the host calls runs inside `guarded`, and
// what it throws becomes BERTH_ERROR with the exception's text.

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

#include "berth/sdk/text.hpp"

namespace berth::sdk {

// To be thrown when a call cannot be answered. The pod fails with this text (or the start, from
// init).
class Failure : public std::runtime_error {
 public:
  explicit Failure(std::string_view text) : std::runtime_error(std::string(text)) {}
};

namespace internal {

// Out of line and cold, so that what surrounds a check stays small.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(std::string_view text) {
  throw Failure(text);
}

}  // namespace internal

// Runs `work`; BERTH_SUCCESS, or BERTH_ERROR and a text to `error`.
template <class Work>
berth_code guarded(const berth_text_sink* error, Work&& work) noexcept {
  try {
    work();
    return BERTH_SUCCESS;
  } catch (const std::exception& exception) {
    TextSink(error).write(exception.what());
  } catch (...) {
    TextSink(error).write("an exception of an unknown type");
  }
  return BERTH_ERROR;
}

}  // namespace berth::sdk
