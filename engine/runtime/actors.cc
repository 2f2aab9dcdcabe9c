#include "engine/runtime/actors.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::runtime {

void Actors::wake(Actor& actor) {
  const auto rank = [&](const Actor* one) { return std::ranges::find(joined_, one); };
  BERTH_ASSERT(rank(&actor) != joined_.end());
  if (std::ranges::find(awake_, &actor) != awake_.end()) return;
  awake_.insert(std::ranges::upper_bound(awake_, rank(&actor), {}, rank), &actor);
}

std::optional<Time> Actors::next() const {
  std::optional<Time> first;
  for (const Actor* actor : awake_)
    if (const std::optional<Time> time = actor->next(); time && (!first || *time < *first))
      first = time;
  return first;
}

// By index: one that acts may wake another. If that comes before it, it is called twice, and finds
// nothing the second time.
void Actors::run_due() {
  for (size_t i = 0; i < awake_.size(); ++i) awake_[i]->run_due();
}

void Actors::claim_unused(uint64_t claim) {
  told_ |= !awake_.empty();
  for (Actor* actor : awake_) actor->claim_unused(claim);
}

void Actors::catch_up_all() {
  for (size_t i = 0; i < awake_.size(); ++i) awake_[i]->catch_up();
}

bool Actors::removes_pods() const { return std::ranges::any_of(awake_, &Actor::removes_pods); }

bool Actors::unfinished() const { return std::ranges::any_of(awake_, &Actor::unfinished); }

void Actors::storage_changed(const model::VolumeChange& change) {
  told_ = true;
  for (size_t i = 0; i < awake_.size(); ++i) awake_[i]->storage_changed(change);
}

}  // namespace berth::runtime
