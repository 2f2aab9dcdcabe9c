#include "engine/runtime/actors.h"

#include <algorithm>

namespace berth::runtime {

std::optional<Time> Actors::next() const {
  std::optional<Time> first;
  for (const Actor* actor : actors_)
    if (const std::optional<Time> time = actor->next(); time && (!first || *time < *first))
      first = time;
  return first;
}

void Actors::run_due() {
  for (Actor* actor : actors_) actor->run_due();
}

void Actors::claim_unused(uint64_t claim) {
  told_ |= !actors_.empty();
  for (Actor* actor : actors_) actor->claim_unused(claim);
}

void Actors::catch_up_all() {
  for (Actor* actor : actors_) actor->catch_up();
}

bool Actors::removes_pods() const { return std::ranges::any_of(actors_, &Actor::removes_pods); }

bool Actors::unfinished() const { return std::ranges::any_of(actors_, &Actor::unfinished); }

void Actors::pod_ends(model::PodId pod) {
  for (Actor* actor : actors_) actor->pod_ends(pod);
}

void Actors::storage_changed(const model::VolumeChange& change) {
  told_ = true;
  for (Actor* actor : actors_) actor->storage_changed(change);
}

}  // namespace berth::runtime
