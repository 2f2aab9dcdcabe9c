#pragma once

// The exception that the harness throws when a plugin fails; holds the plugin's text.

#include <stdexcept>
#include <string>

namespace berth::plugins::testing {

template <class Action>
std::string failure(Action&& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace berth::plugins::testing
