#include "engine/controllers/workloads/stateful.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::controllers {
namespace {

const StatefulPod* pod_at(std::span<const StatefulPod> pods, int64_t ordinal) {
  const auto at = std::ranges::lower_bound(pods, ordinal, {}, &StatefulPod::ordinal);
  return at == pods.end() || at->ordinal != ordinal ? nullptr : &*at;
}

}  // namespace

std::vector<StatefulStep> stateful_steps(std::span<const int64_t> wanted,
                                         std::span<const StatefulPod> pods, bool parallel) {
  BERTH_ASSERT(std::ranges::is_sorted(wanted));
  BERTH_ASSERT(std::ranges::is_sorted(pods, {}, &StatefulPod::ordinal));
  std::vector<StatefulStep> steps;
  for (const int64_t ordinal : wanted) {
    const StatefulPod* pod = pod_at(pods, ordinal);
    if (pod == nullptr) steps.push_back({ordinal, true});
    if (!parallel && (pod == nullptr || pod->terminating || !pod->ready)) return steps;
  }
  // All that are wanted are ready, or it does not matter. The first that is not ready is the lowest
  // of the others.
  const StatefulPod* first_unready = nullptr;
  std::vector<const StatefulPod*> condemned;
  for (const StatefulPod& pod : pods) {
    if (std::ranges::binary_search(wanted, pod.ordinal)) continue;
    condemned.push_back(&pod);
    if (first_unready == nullptr && (!pod.ready || pod.terminating)) first_unready = &pod;
  }
  for (auto pod = condemned.rbegin(); pod != condemned.rend(); ++pod) {
    const bool waits = (*pod)->terminating || (!(*pod)->ready && *pod != first_unready);
    if (!parallel && waits) return steps;
    if (!(*pod)->terminating) steps.push_back({(*pod)->ordinal, false});
    if (!parallel) return steps;
  }
  return steps;
}

}  // namespace berth::controllers
