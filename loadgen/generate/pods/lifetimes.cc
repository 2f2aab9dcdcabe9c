#include "loadgen/generate/pods/lifetimes.h"

#include <algorithm>

#include "loadgen/generate/draws/draws.h"

namespace berth::loadgen {

int64_t Lifetimes::begin(const PodIdentity& pod, const Distribution& lifetime, uint32_t of,
                         uint64_t number) {
  const int64_t time = lifetime.draw(drawn(cluster_.seed, For::kLifetime, of, number));
  const int64_t tick = clock_.tick_end(std::min(kNever, clock_.latest() + time));
  if (tick != kNever) endings_.add(tick, pod);
  return tick;
}

void Lifetimes::end_next(LoadStep& step) {
  const PodIdentity pod = endings_.take();
  name_pod(cluster_, pod, name_);
  const std::string& space = cluster_.namespaces.name(pod.namespace_number);
  step.events.push_back(pod.finishes ? model::finished_pod(space, name_)
                                     : model::deleted_pod(space, name_));
  if (has_claims(cluster_, pod, name_))
    cluster_.claims.remove(template_of(cluster_, pod), space, name_, step);
}

}  // namespace berth::loadgen
