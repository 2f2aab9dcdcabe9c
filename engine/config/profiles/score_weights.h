#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "engine/config/effective.h"

namespace berth::config {

// Would the total score overflow if a plugin of this weight came on top of `total`? `total` is the
// sum of weight times the best score (100) of the plugins before.
//
// kube-scheduler's test, to the bit: it subtracts a total that negative weights may have made
// negative, so that the difference wraps around, and refuses the next plugin then.
bool score_total_overflows(int64_t total, int64_t weight);

// Weights of the plugins that implement kScore, by name, valid as long as the profile.
struct ScoreWeights {
  std::unordered_map<std::string_view, int32_t> by_name;
  bool overflow = false;  // refuse the profile
};

ScoreWeights score_weights(const Profile& profile, const Implements& implements);

}  // namespace berth::config
