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

// The things that can be removed from the filesystem that runs out, in order.
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
  const PressureWatch::Look found = watch_.look(seen, now);
  if (found.pressures_changed) actions_->set_pressures(now, pressures());
  last_round_ = now;
  if (evict_over_limits(seen, now) || evict_for(found.acting, seen, now)) {
    evicted_.clear();
    stop_next(now);
  } else {
    wait_for_round(now, !found.any_met && pressures().empty());
  }
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

bool EvictionManager::evict_for(const std::vector<const Threshold*>& acting, const Statistics& seen,
                                Time now) {
  if (acting.empty()) return false;
  const auto of_memory =
      std::ranges::find_if(acting, [](const auto* one) { return is_memory(one->signal); });
  const Threshold& threshold = of_memory == acting.end() ? *acting.front() : **of_memory;
  actions_->warn_of_node(
      now, fmt::format("Attempting to reclaim {}", name_of(starved_by(threshold.signal))));
  if (!reclaim(threshold.signal, now)) evict_first(threshold, seen, now);
  return !to_evict_.empty();
}

// Returns whether no threshold, of any signal, is met any more.
bool EvictionManager::reclaim(Signal signal, Time now) {
  const std::vector<Reclaim> ways = reclaims_of(signal, machine_->filesystems());
  for (const Reclaim what : ways) {
    machine_->garbage(what) = {};
    actions_->reclaimed(now, what);
  }
  return !ways.empty() && watch_.all_resolved(machine_->look(now));
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
        std::min(most_grace_seconds_, candidate.pod->grace_seconds.value_or(most_grace_seconds_));
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
  if (pressures().empty() || is_critical(pod)) return std::nullopt;
  const bool memory_alone = pressures() == std::vector{Pressure::kMemory};
  if (memory_alone && (qos_class(pod) != QosClass::kBestEffort || tolerates_memory_pressure(pod)))
    return std::nullopt;
  std::string names;
  for (const Pressure one : pressures())
    names.append(names.empty() ? "" : " ").append(name_of(one));
  return Refusal{std::string(kEvicted), fmt::format("The node had condition: [{}]. ", names)};
}

}  // namespace berth::controllers::kubelet
