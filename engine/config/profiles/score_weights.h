#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "engine/config/effective.h"

namespace berth::config {

// True if adding a plugin of this weight to `total` would overflow the total score. `total` is the
// sum of weight times 100 (the maximum score) over the plugins before.
//
// This is exactly kube-scheduler's test: it subtracts `total`, which negative weights may have made
// negative, so the difference may wrap around and the next plugin is refused.
[[nodiscard]] bool score_total_overflows(int64_t total, int64_t weight);

// The weights of the plugins that implement kScore. The names are valid as long as the profile.
struct ScoreWeights {
  std::unordered_map<std::string_view, int32_t> by_name;
  bool overflow = false;  // the profile must be refused
};

// Determines the weights by kube-scheduler's rules (see expand() in effective.h) and checks the
// total.
ScoreWeights score_weights(const Profile& profile, const Implements& implements);

}  // namespace berth::config
