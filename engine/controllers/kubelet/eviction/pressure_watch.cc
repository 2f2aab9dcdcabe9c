#include "engine/controllers/kubelet/eviction/pressure_watch.h"

#include <algorithm>
#include <utility>

namespace berth::controllers::kubelet {
namespace {

bool is_met(const Threshold& threshold, const Statistics& seen, bool with_reclaim) {
  const std::optional<Observation>& observed = seen.signals[threshold.signal];
  if (!observed) return false;
  model::Quantity least = amount_of(threshold.value, observed->capacity).quantity;
  if (with_reclaim && threshold.minimum_reclaim)
    least += amount_of(*threshold.minimum_reclaim, observed->capacity).quantity;
  return model::Quantity::from_units(observed->available) < least;
}

}  // namespace

PressureWatch::Look PressureWatch::look(const Statistics& seen, Time now) {
  const Indices all_met = met(seen);
  Look found;
  found.any_met = !all_met.empty();
  found.pressures_changed = note_pressures(all_met, now);
  note_times(all_met, now);
  for (const size_t i : past_grace_)
    if (has_news(thresholds_.all[i], seen)) found.acting.push_back(&thresholds_.all[i]);
  for (size_t i = 0; i < kSignals; ++i) {
    const Signal signal = static_cast<Signal>(i);
    last_times_[signal].reset();
    if (seen.signals[signal]) last_times_[signal] = seen.signals[signal]->time;
  }
  first_look_ = false;
  return found;
}

// Those below their value, and those that were past their grace period in the last look and are
// below value and minimum reclaim: so eviction goes on beyond the threshold.
PressureWatch::Indices PressureWatch::met(const Statistics& seen) const {
  const size_t counted = first_look_ ? thresholds_.at_once : thresholds_.all.size();
  Indices found;
  for (size_t i = 0; i < counted; ++i) {
    const bool acted = std::ranges::binary_search(past_grace_, i);
    if (is_met(thresholds_.all[i], seen, acted)) found.push_back(i);
  }
  return found;
}

bool PressureWatch::note_pressures(const Indices& met, Time now) {
  for (const size_t i : met)
    last_pressure_[static_cast<size_t>(pressure_of(thresholds_.all[i].signal))] = now;
  std::vector<Pressure> pressures;
  for (size_t i = 0; i < kPressures; ++i)
    if (last_pressure_[i] && now - *last_pressure_[i] < transition_)
      pressures.push_back(static_cast<Pressure>(i));
  if (pressures == pressures_) return false;
  pressures_ = std::move(pressures);
  return true;
}

void PressureWatch::note_times(const Indices& met, Time now) {
  past_grace_.clear();
  for (size_t i = 0; i < first_met_.size(); ++i) {
    if (!std::ranges::binary_search(met, i)) {
      first_met_[i].reset();
      continue;
    }
    if (!first_met_[i]) first_met_[i] = now;
    if (now - *first_met_[i] >= thresholds_.all[i].grace) past_grace_.push_back(i);
  }
}

// Statistics that are as old as in the last look make no second eviction.
bool PressureWatch::has_news(const Threshold& threshold, const Statistics& seen) const {
  const std::optional<Time>& last = last_times_[threshold.signal];
  return !last || seen.signals[threshold.signal]->time > *last;
}

bool PressureWatch::all_resolved(const Statistics& seen) const {
  return std::ranges::none_of(thresholds_.all,
                              [&](const Threshold& one) { return is_met(one, seen, true); });
}

}  // namespace berth::controllers::kubelet
