#include "engine/config/profiles/score_weights.h"

#include <limits>

#include "engine/config/profiles/default_plugins.h"

namespace berth::config {
namespace {

constexpr int64_t kMaxNodeScore = 100;
constexpr int64_t kMaxTotalScore = std::numeric_limits<int64_t>::max();

}  // namespace

bool score_total_overflows(int64_t total, int64_t weight) {
  const auto room =
      static_cast<int64_t>(static_cast<uint64_t>(kMaxTotalScore) - static_cast<uint64_t>(total));
  return weight * kMaxNodeScore > room;
}

ScoreWeights score_weights(const Profile& profile, const Implements& implements) {
  ScoreWeights weights;
  int64_t total = 0;
  // Plugins at `score` first, so that their weights take precedence over multiPoint's.
  for (const auto* set : {&profile.points[Point::kScore], &profile.multi_point}) {
    for (const PluginRef& plugin : set->enabled) {
      if (!implements(plugin.name, Point::kScore)) continue;
      const int32_t weight = plugin.weight == 0 ? weight_if_not_given(plugin.name) : plugin.weight;
      if (!weights.by_name.emplace(plugin.name, weight).second) continue;
      if (score_total_overflows(total, weight)) {
        weights.overflow = true;
        return weights;
      }
      total += weight * kMaxNodeScore;
    }
  }
  return weights;
}

}  // namespace berth::config
