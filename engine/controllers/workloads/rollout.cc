#include "engine/controllers/workloads/rollout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace berth::controllers {
namespace {

int64_t sum(const std::vector<RolloutSet>& sets, int64_t RolloutSet::*figure) {
  return std::accumulate(sets.begin(), sets.end(), int64_t{0},
                         [&](int64_t all, const RolloutSet& set) { return all + set.*figure; });
}

int64_t resolved(const model::RolloutShare& share, int64_t pods, bool up) {
  if (!share.percent) return share.value;
  return (share.value * pods + (up ? 99 : 0)) / 100;
}

// Takes pods from the set, `lost` of them at most; returns how many.
int64_t shrink(RolloutSet& set, int64_t lost) {
  const int64_t taken = std::min(lost, set.replicas);
  set.replicas -= taken;
  set.available = std::min(set.available, set.replicas);
  return taken;
}

bool grow_current(std::vector<RolloutSet>& sets, size_t current, const RolloutLimits& limits) {
  RolloutSet& set = sets[current];
  const int64_t room = limits.replicas + limits.surge - sum(sets, &RolloutSet::replicas);
  const int64_t lacking = limits.replicas - set.replicas;
  if (lacking < 0) return shrink(set, -lacking) != 0;
  const int64_t more = std::min(room, lacking);
  if (more <= 0) return false;
  set.replicas += more;
  return true;
}

// First the pods that are not available, then as many as may lack.
bool shrink_former(std::vector<RolloutSet>& sets, size_t current, const RolloutLimits& limits) {
  const int64_t least = limits.replicas - limits.unavailable;
  const int64_t not_yet = sets[current].replicas - sets[current].available;
  const int64_t most = sum(sets, &RolloutSet::replicas) - least - not_yet;
  if (most <= 0) return false;
  int64_t lost = 0;
  for (size_t i = 0; i < sets.size(); ++i)
    if (i != current)
      lost += shrink(sets[i], std::min(most - lost, sets[i].replicas - sets[i].available));
  int64_t spare = std::max<int64_t>(sum(sets, &RolloutSet::available) - least, 0);
  for (size_t i = 0; i < sets.size(); ++i) {
    if (i == current) continue;
    const int64_t taken = shrink(sets[i], spare);
    spare -= taken;
    lost += taken;
  }
  return lost != 0;
}

bool recreate(std::vector<RolloutSet>& sets, size_t current, const RolloutLimits& limits,
              bool former_pods) {
  int64_t lost = 0;
  for (size_t i = 0; i < sets.size(); ++i)
    if (i != current) lost += shrink(sets[i], sets[i].replicas);
  if (lost != 0) return true;
  if (former_pods || sets[current].replicas == limits.replicas) return false;
  sets[current].replicas = limits.replicas;
  return true;
}

// The change of a set's size, in proportion to all of them.
int64_t proportion(const RolloutSet& set, const RolloutLimits& limits, int64_t most_before,
                   int64_t left) {
  if (left == 0 || set.replicas == 0) return 0;
  int64_t change = -set.replicas;
  if (limits.replicas != 0) {
    if (most_before == 0) return 0;
    const int64_t most = limits.replicas + limits.surge;
    const double size = static_cast<double>(set.replicas * most) / static_cast<double>(most_before);
    change = static_cast<int64_t>(std::floor(size + 0.5)) - set.replicas;
  }
  return left > 0 ? std::min(change, left) : std::max(change, left);
}

}  // namespace

RolloutLimits::RolloutLimits(const model::Rollout& rollout, uint64_t pods)
    : replicas(static_cast<int64_t>(pods)), recreates(rollout.recreates) {
  if (recreates) return;
  surge = resolved(rollout.surge, replicas, true);
  unavailable = resolved(rollout.unavailable, replicas, false);
  if (surge == 0 && unavailable == 0) unavailable = 1;
  unavailable = std::min(unavailable, replicas);
}

bool rollout_step(std::vector<RolloutSet>& sets, size_t current, const RolloutLimits& limits,
                  bool former_pods) {
  if (limits.recreates) return recreate(sets, current, limits, former_pods);
  return grow_current(sets, current, limits) || shrink_former(sets, current, limits);
}

void scale_sets(std::vector<RolloutSet>& sets, size_t current, const RolloutLimits& limits,
                int64_t most_before) {
  std::vector<size_t> active;
  for (size_t i = 0; i < sets.size(); ++i)
    if (sets[i].replicas != 0) active.push_back(i);
  if (active.size() <= 1) {
    sets[active.empty() ? current : active.front()].replicas = limits.replicas;
    return;
  }
  if (limits.recreates) return;
  const int64_t allowed = limits.replicas == 0 ? 0 : limits.replicas + limits.surge;
  const int64_t wanted = allowed - sum(sets, &RolloutSet::replicas);
  if (wanted == 0) return;
  // Of equal sets the newer one grows first, and the older one shrinks first.
  std::ranges::sort(active, [&](size_t a, size_t b) {
    if (sets[a].replicas != sets[b].replicas) return sets[a].replicas > sets[b].replicas;
    return wanted > 0 ? a > b : a < b;
  });
  int64_t left = wanted;
  for (const size_t i : active) {
    const int64_t change = proportion(sets[i], limits, most_before, left);
    sets[i].replicas += change;
    left -= change;
  }
  RolloutSet& largest = sets[active.front()];
  largest.replicas = std::max<int64_t>(largest.replicas + left, 0);
}

}  // namespace berth::controllers
