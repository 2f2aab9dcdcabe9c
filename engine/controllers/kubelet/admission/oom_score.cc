#include "engine/controllers/kubelet/admission/oom_score.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/controllers/kubelet/pod/pod_rules.h"

namespace berth::controllers::kubelet {
namespace {

constexpr int64_t kLastKilled = -997;
constexpr int64_t kFirstKilled = 1000;

int64_t memory_request(const Container& container) {
  const Amount* request = find(container.requests, "memory");
  return request == nullptr ? 0 : request->quantity.value();
}

// The request of the pod as a whole above its containers, divided among them.
int64_t share_of_rest(const Pod& pod) {
  if (!has_pod_requests(pod)) return 0;
  const Amount* request = find(pod.resources->requests, "memory");
  if (request == nullptr || request->quantity.zero()) return 0;
  const int64_t rest = request->quantity.value() - container_requests(pod, "memory").value();
  return rest / static_cast<int64_t>(pod.containers.size() + pod.init_containers.size());
}

int64_t least_request(const Pod& pod) {
  BERTH_ASSERT(!pod.containers.empty());
  int64_t least = memory_request(pod.containers.front());
  for (const Container& one : pod.containers) least = std::min(least, memory_request(one));
  return least;
}

int64_t by_request(int64_t request, int64_t capacity) { return 1000 - 1000 * request / capacity; }

}  // namespace

int64_t oom_score_adjust(const Pod& pod, const Container& container, int64_t memory_capacity) {
  BERTH_ASSERT(memory_capacity > 0);
  const QosClass its = qos_class(pod);
  if (is_node_critical(pod) || its == QosClass::kGuaranteed) return kLastKilled;
  if (its == QosClass::kBestEffort) return kFirstKilled;
  const int64_t share = share_of_rest(pod);
  int64_t score = by_request(memory_request(container) + share, memory_capacity);
  if (container.sidecar)
    score = std::min(score, by_request(least_request(pod) + share, memory_capacity));
  return std::clamp(score, kFirstKilled + kLastKilled, kFirstKilled - 1);
}

}  // namespace berth::controllers::kubelet
