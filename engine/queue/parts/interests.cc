#include "engine/queue/parts/interests.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::queue {

void Interests::add(const Interest& interest) {
  BERTH_ASSERT(interest.refuser != kNobody);
  all_.push_back(interest);
  known_.clear();
}

const std::vector<Interests::Asked>& Interests::of(const QueueEvent& event) const {
  for (const Known& known : known_)
    if (known.kind == event.kind && known.action == event.action) return known.asked;
  Known& made = known_.emplace_back(Known{event.kind, event.action, {}});
  for (const Interest& interest : all_) {
    const bool all_wanted = (event.action & ~interest.actions) == 0;
    if ((interest.kinds & event.kind) == 0 || event.action == 0 || !all_wanted) continue;
    const auto same = std::find_if(made.asked.begin(), made.asked.end(), [&](const Asked& asked) {
      return asked.refuser == interest.refuser;
    });
    if (same == made.asked.end()) {
      made.asked.push_back({interest.profile, interest.refuser, interest.has_hint});
    } else {
      same->hinted &= interest.has_hint;
    }
  }
  return made.asked;
}

bool Interests::wants(RefuserId refuser, const QueueEvent& event) const {
  const std::vector<Asked>& asked = of(event);
  return std::any_of(asked.begin(), asked.end(),
                     [&](const Asked& one) { return one.refuser == refuser; });
}

}  // namespace berth::queue
