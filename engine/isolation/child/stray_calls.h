#pragma once

// Calls of services on threads that run no function of the plugin, most often threads that it made.
// They have no lane, so the process refuses them; the engine hears of each kind once, with the end
// of a call, and logs it as it does for a plugin in its own process.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::isolation {

class StrayCalls {
 public:
  using Stray = std::pair<uint32_t, std::string>;  // as EndOfCall::strays

  // Any thread. Further kinds than a few hundred are forgotten.
  static void note(uint32_t number, std::string_view text = {}) noexcept;
  // Those that were noted since the last time. Costs one load if there are none.
  static std::vector<Stray> take();
};

}  // namespace berth::isolation
