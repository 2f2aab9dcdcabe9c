#pragma once

// The failure of a plugin's process during a call.

#include <stdexcept>

namespace berth::isolation {

// Costs the pod, not the run. The text says what happened, as the rest of a sentence.
class ProcessFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace berth::isolation
