#pragma once

// The failure of a plugin's process during a call, and what becomes of it.

#include <stdexcept>
#include <string>

#include "berth/abi/base.h"

namespace berth::isolation {

// Costs the pod, not the run. The text says what happened, as the rest of a sentence.
class ProcessFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The failure as a text that stands alone.
inline std::string process_text(const ProcessFailure& failure) {
  return std::string("the plugin's process ") + failure.what();
}

// Runs a call. If the process fails, the call fails with a text. `sink` may be null.
template <typename Function>
berth_code guarded(const berth_text_sink* sink, Function&& function) {
  try {
    return function();
  } catch (const ProcessFailure& failure) {
    const std::string text = process_text(failure);
    if (sink != nullptr) sink->write(sink->context, {text.data(), text.size()});
    return BERTH_ERROR;
  }
}

// The same for functions without a code and for texts about answers: the host catches the
// exception.
template <typename Function>
auto unguarded(Function&& function) {
  try {
    return function();
  } catch (const ProcessFailure& failure) {
    throw std::runtime_error(process_text(failure));
  }
}

}  // namespace berth::isolation
