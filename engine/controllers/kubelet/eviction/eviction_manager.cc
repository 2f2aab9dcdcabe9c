#include "engine/controllers/kubelet/eviction/eviction_manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"
#include "engine/controllers/kubelet/pod/pod_rules.h"
#include "engine/model/pods/tolerations.h"

namespace berth::controllers::kubelet {
namespace {

using namespace std::chrono_literals;

constexpr Time kRoundsApart = 10s;
constexpr Time kCleanupPoll = 1s;
constexpr Time kLongestCleanup = 30s;
constexpr int64_t kAtOnceSeconds = 1;  // the grace period of hard thresholds and of limits

bool tolerates_memory_pressure(const Pod& pod) {
  model::TolerationSets sets;
  return sets.tolerate(sets.of(pod.tolerations),
                       {{"node.kubernetes.io/memory-pressure", "", "NoSchedule"}});
}

// What can be removed from the filesystem that runs out, in order.
std::vector<Reclaim> reclaims_of(Signal signal, Filesystems filesystems) {
  if (pressure_of(signal) != Pressure::kDisk) return {};
  const bool images = signal == Signal::kImageFsAvailable || signal == Signal::kImageFsInodesFree;
  const bool node = signal == Signal::kNodeFsAvailable || signal == Signal::kNodeFsInodesFree;
  if (filesystems == Filesystems::kSplit)
    return {images ? Reclaim::kUnusedImages : Reclaim::kDeadContainers};
  if (filesystems == Filesystems::kImages && node) return {};
  return {Reclaim::kDeadContainers, Reclaim::kUnusedImages};
}

}  // namespace

EvictionManager::EvictionManager(EvictionSettings settings, Machine& machine,
                                 EvictionActions& actions)
    : settings_(std::move(settings)),
      thresholds_(with_container_filesystem(settings_.thresholds, machine.filesystems())),
      machine_(&machine),
      actions_(&actions),
      first_met_(thresholds_.all.size()) {}

void EvictionManager::start(Time now) {
  BERTH_ASSERT(phase_ == Phase::kNotStarted);
  phase_ = Phase::kBetweenRounds;
  due_ = now;
}

void EvictionManager::figures_changed(Time now) {
  BERTH_ASSERT(phase_ != Phase::kNotStarted);
  if (due_) return;
  BERTH_ASSERT(phase_ == Phase::kBetweenRounds && now >= last_round_);
  const auto rounds = (now - last_round_ + kRoundsApart - Time(1)) / kRoundsApart;
  due_ = last_round_ + std::max<int64_t>(rounds, 1) * kRoundsApart;
}

void EvictionManager::run_due(Time now) {
  BERTH_ASSERT(due_ && *due_ <= now);
  while (due_ && *due_ <= now) step(*due_);
}

void EvictionManager::step(Time now) {
  switch (phase_) {
    case Phase::kNotStarted:
      BERTH_ASSERT(false);
      return;
    case Phase::kBetweenRounds:
      return round(now);
    case Phase::kStopping:
      if (!to_evict_.empty()) return stop_next(now);
      phase_ = Phase::kCleanup;
      wait_ends_ = now + kLongestCleanup;
      due_ = now + kCleanupPoll;
      return;
    case Phase::kCleanup:
      if (all_cleaned_up(now) || now >= wait_ends_) return round(now);
      due_ = now + kCleanupPoll;
      return;
  }
}

void EvictionManager::round(Time now) {
  // Copied: reclaiming looks at the machine again.
  const Statistics seen = machine_->look(now);
  const Indices all_met = met(seen);
  note_pressures(all_met, now);
  const Indices acting = with_news(act_on(all_met, now), seen);
  last_round_ = now;
  first_round_ = false;
  if (evict_over_limits(seen, now) || evict_for(acting, seen, now)) {
    evicted_.clear();
    stop_next(now);
  } else {
    wait_for_round(now, all_met.empty() && pressures_.empty());
  }
}

// Those below their value, and those that acted in the last round and are below value and minimum
// reclaim: so eviction goes on beyond the threshold.
EvictionManager::Indices EvictionManager::met(const Statistics& seen) {
  const size_t counted = first_round_ ? thresholds_.at_once : thresholds_.all.size();
  Indices found;
  for (size_t i = 0; i < counted; ++i) {
    const bool acted = std::ranges::binary_search(acting_, i);
    if (is_met(thresholds_.all[i], seen, acted)) found.push_back(i);
  }
  return found;
}

bool EvictionManager::is_met(const Threshold& threshold, const Statistics& seen,
                             bool with_reclaim) const {
  const std::optional<Observation>& observed = seen.signals[threshold.signal];
  if (!observed) return false;
  model::Quantity least = amount_of(threshold.value, observed->capacity).quantity;
  if (with_reclaim && threshold.minimum_reclaim)
    least += amount_of(*threshold.minimum_reclaim, observed->capacity).quantity;
  return model::Quantity::from_units(observed->available) < least;
}

void EvictionManager::note_pressures(const Indices& met, Time now) {
  for (const size_t i : met)
    last_pressure_[static_cast<size_t>(pressure_of(thresholds_.all[i].signal))] = now;
  std::vector<Pressure> pressures;
  for (size_t i = 0; i < kPressures; ++i)
    if (last_pressure_[i] && now - *last_pressure_[i] < settings_.transition)
      pressures.push_back(static_cast<Pressure>(i));
  if (pressures == pressures_) return;
  pressures_ = std::move(pressures);
  actions_->set_pressures(now, pressures_);
}

// Those that have been met for their grace periods.
EvictionManager::Indices EvictionManager::act_on(const Indices& met, Time now) {
  acting_.clear();
  for (size_t i = 0; i < first_met_.size(); ++i) {
    if (!std::ranges::binary_search(met, i)) {
      first_met_[i].reset();
      continue;
    }
    if (!first_met_[i]) first_met_[i] = now;
    if (now - *first_met_[i] >= thresholds_.all[i].grace) acting_.push_back(i);
  }
  return acting_;
}

// Statistics that are as old as in the last round make no second eviction.
EvictionManager::Indices EvictionManager::with_news(const Indices& acting, const Statistics& seen) {
  Indices fresh;
  for (const size_t i : acting) {
    const Signal signal = thresholds_.all[i].signal;
    if (!last_looks_[signal] || seen.signals[signal]->time > *last_looks_[signal])
      fresh.push_back(i);
  }
  for (size_t i = 0; i < kSignals; ++i) {
    const Signal signal = static_cast<Signal>(i);
    last_looks_[signal].reset();
    if (seen.signals[signal]) last_looks_[signal] = seen.signals[signal]->time;
  }
  return fresh;
}

std::vector<Candidate> EvictionManager::candidates(const Statistics& seen, Time now) const {
  std::vector<Candidate> pods;
  for (const PodNumber number : machine_->running(now))
    pods.push_back({number, &machine_->pod(number), seen.usage(number)});
  return pods;
}

bool EvictionManager::evict_over_limits(const Statistics& seen, Time now) {
  for (const Candidate& one : candidates(seen, now)) {
    if (one.usage == nullptr || is_critical(*one.pod)) continue;
    if (auto message = over_local_limit(one, machine_->filesystems()))
      to_evict_.push_back({one.number, kAtOnceSeconds, {std::move(*message), {}}, std::nullopt});
  }
  return !to_evict_.empty();
}

const Threshold& EvictionManager::first_of(const Indices& acting) const {
  for (const size_t i : acting)
    if (is_memory(thresholds_.all[i].signal)) return thresholds_.all[i];
  return thresholds_.all[acting.front()];
}

bool EvictionManager::evict_for(const Indices& acting, const Statistics& seen, Time now) {
  if (acting.empty()) return false;
  const Threshold& threshold = first_of(acting);
  actions_->warn_of_node(
      now, fmt::format("Attempting to reclaim {}", name_of(starved_by(threshold.signal))));
  if (!reclaim(threshold.signal, now)) evict_first(threshold, seen, now);
  return !to_evict_.empty();
}

// Returns whether no threshold, of any signal, is met any more.
bool EvictionManager::reclaim(Signal signal, Time now) {
  const std::vector<Reclaim> ways = reclaims_of(signal, machine_->filesystems());
  if (ways.empty()) return false;
  for (const Reclaim what : ways) {
    machine_->garbage(what) = {};
    actions_->reclaimed(now, what);
  }
  const Statistics& seen = machine_->look(now);
  return std::ranges::none_of(thresholds_.all,
                              [&](const Threshold& one) { return is_met(one, seen, true); });
}

void EvictionManager::evict_first(const Threshold& threshold, const Statistics& seen, Time now) {
  std::vector<Candidate> ranked = candidates(seen, now);
  rank(ranked, threshold.signal, machine_->filesystems());
  const auto first =
      std::ranges::find_if(ranked, [](const Candidate& one) { return !is_critical(*one.pod); });
  if (first != ranked.end()) to_evict_.push_back(eviction_for(threshold, *first, seen, now));
}

Eviction EvictionManager::eviction_for(const Threshold& threshold, const Candidate& candidate,
                                       const Statistics& seen, Time now) const {
  const Observation& observed = *seen.signals[threshold.signal];
  Eviction made;
  made.pod = candidate.number;
  made.grace_seconds = kAtOnceSeconds;
  if (!threshold.hard())
    made.grace_seconds =
        std::min(settings_.most_grace_seconds,
                 candidate.pod->grace_seconds.value_or(settings_.most_grace_seconds));
  made.text = eviction_text(
      candidate, {starved_by(threshold.signal), amount_of(threshold.value, observed.capacity),
                  observed.amount(threshold.signal)});
  made.condition =
      Condition{"DisruptionTarget", "True", "TerminationByKubelet", made.text.message, now};
  return made;
}

// A pod may be gone since it was chosen, while others were stopped.
void EvictionManager::stop_next(Time now) {
  phase_ = Phase::kStopping;
  due_ = now;
  const Eviction eviction = std::move(to_evict_.front());
  to_evict_.pop_front();
  if (!machine_->has(eviction.pod)) return;
  actions_->evict(now, eviction);
  evicted_.push_back(eviction.pod);
  due_ = machine_->stop(eviction.pod, now, std::chrono::seconds(eviction.grace_seconds));
}

bool EvictionManager::all_cleaned_up(Time now) const {
  return std::ranges::all_of(evicted_,
                             [&](PodNumber pod) { return machine_->cleaned_up(pod, now); });
}

void EvictionManager::wait_for_round(Time now, bool idle) {
  phase_ = Phase::kBetweenRounds;
  due_.reset();
  if (!idle) due_ = now + kRoundsApart;
}

std::optional<Refusal> EvictionManager::refusal_of(const Pod& pod) const {
  if (pressures_.empty() || is_critical(pod)) return std::nullopt;
  const bool memory_alone = pressures_ == std::vector{Pressure::kMemory};
  if (memory_alone && (qos_class(pod) != QosClass::kBestEffort || tolerates_memory_pressure(pod)))
    return std::nullopt;
  std::string names;
  for (const Pressure one : pressures_) names.append(names.empty() ? "" : " ").append(name_of(one));
  return Refusal{std::string(kEvicted), fmt::format("The node had condition: [{}]. ", names)};
}

}  // namespace berth::controllers::kubelet
