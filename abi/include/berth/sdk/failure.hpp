#pragma once

// Exceptions do not cross the ABI. Every function that the host calls runs inside `guarded`, which
// turns an exception into BERTH_ERROR with the exception's text.

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

#include "berth/sdk/text.hpp"

namespace berth::sdk {

// Throw this if a call cannot be answered. The pod fails with this text; thrown from init, the
// program does not start.
class Failure : public std::runtime_error {
 public:
  explicit Failure(std::string_view text) : std::runtime_error(std::string(text)) {}
};

namespace internal {

// Out of line and cold, to keep the code around a check small.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(std::string_view text) {
  throw Failure(text);
}

}  // namespace internal

// Runs `work`. Returns BERTH_SUCCESS, or BERTH_ERROR after writing the text to `error` (may be
// null).
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
