#include "engine/model/nominations/nominations.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"

namespace berth::model {

std::vector<Nomination>& Nominations::list(Slot slot) {
  BERTH_ASSERT(any(slot));
  return lists_[places_[slot]];
}

void Nominations::add(Slot slot, const Nomination& nomination) {
  if (slot >= places_.size()) places_.resize(size_t{slot} + 1, kNone);
  if (!any(slot)) {
    places_[slot] = static_cast<uint32_t>(slots_.size());
    slots_.push_back(slot);
    lists_.emplace_back();
  }
  list(slot).push_back(nomination);
}

void Nominations::replace(Slot slot, const Nomination& by) {
  std::vector<Nomination>& all = list(slot);
  const auto at =
      std::ranges::find(all, by.pod.pod, [](const Nomination& one) { return one.pod.pod; });
  BERTH_ASSERT(at != all.end());
  *at = by;
}

void Nominations::remove(Slot slot, PodId pod) {
  std::vector<Nomination>& all = list(slot);
  const size_t removed =
      std::erase_if(all, [&](const Nomination& other) { return other.pod.pod == pod; });
  BERTH_ASSERT(removed == 1);
  if (!all.empty()) return;
  const uint32_t place = places_[slot];
  places_[slots_.back()] = place;
  places_[slot] = kNone;
  slots_[place] = slots_.back();
  std::swap(lists_[place], lists_.back());
  slots_.pop_back();
  lists_.pop_back();
}

}  // namespace berth::model
