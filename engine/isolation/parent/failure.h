#pragma once

// The failure of a plugin's process during a call.

#include <stdexcept>
#include <string>

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

}  // namespace berth::isolation
