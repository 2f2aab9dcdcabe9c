#include "engine/played/workloads/deployment.h"

#include <algorithm>
#include <utility>

#include "engine/ingest/workloads/made_pods.h"

namespace berth::played {

using controllers::RolloutLimits;
using controllers::RolloutSet;

Deployment::Deployment(model::Workload object, WorkloadMeans& means)
    : PlayedWorkload(std::move(object), means),
      sets_{{this->object(), 0}},
      limits_(this->object().rollout, this->object().replicas) {}

int64_t Deployment::number_of(const model::PodRecord& pod) const {
  const std::string& name = means().cluster().templates().controller(pod.controller).name;
  const auto at = std::ranges::find_if(
      sets_, [&](const Set& set) { return set.object.controller.name == name; });
  return at == sets_.end() ? -1 : at - sets_.begin();
}

// Another template counts from the next look on, which comes at this moment.
void Deployment::changed(const model::Workload& before, uint64_t asked) {
  if (before.controller.name == object().controller.name) return;
  if (sets_.size() == 1) sets_[0].replicas = static_cast<int64_t>(asked);
  rolls_ = true;
}

// A template that the Deployment had before has its set already. While it is paused, none comes.
void Deployment::choose_current() {
  if (object().rollout.paused) return;
  const std::string& name = object().controller.name;
  const auto at = std::ranges::find_if(
      sets_, [&](const Set& set) { return set.object.controller.name == name; });
  current_ = static_cast<size_t>(at - sets_.begin());
  if (at == sets_.end()) sets_.push_back({object(), 0});
}

void Deployment::act() {
  next_.reset();
  choose_current();
  if (sets_.size() == 1) {
    sets_[0].replicas = static_cast<int64_t>(replicas());
    limits_ = RolloutLimits(object().rollout, object().replicas);
  } else {
    roll();
  }
  for (size_t i = 0; i < sets_.size(); ++i) fill(i);
}

void Deployment::roll() {
  std::vector<RolloutSet> sets = states();
  const RolloutLimits limits(object().rollout, object().replicas);
  if (limits.replicas != limits_.replicas)
    scale_sets(sets, current_, limits, limits_.replicas + limits_.surge);
  limits_ = limits;
  const bool former = has_former_pods();
  while (!object().rollout.paused && rollout_step(sets, current_, limits, former)) {
  }
  for (size_t i = 0; i < sets_.size(); ++i) sets_[i].replicas = sets[i].replicas;
  rolls_ = false;
  for (size_t i = 0; i < sets_.size(); ++i)
    rolls_ |= i == current_ ? sets[i].replicas != limits.replicas : sets[i].replicas != 0;
}

// Notes when a pod will be available.
std::vector<RolloutSet> Deployment::states() {
  std::vector<RolloutSet> states;
  for (const Set& set : sets_) states.push_back({set.replicas, 0});
  for (const auto& [handle, pod] : pods()) {
    if (pod.number < 0 || pod.terminating || pod.given_up) continue;
    const std::optional<Time> from = available_from(pod);
    if (from && *from <= means().now()) {
      ++states[static_cast<size_t>(pod.number)].available;
    } else if (from && (!next_ || *from < *next_)) {
      next_ = from;
    }
  }
  return states;
}

bool Deployment::has_former_pods() const {
  return std::ranges::any_of(pods(), [&](const auto& pod) {
    return pod.second.number >= 0 && static_cast<size_t>(pod.second.number) != current_;
  });
}

// As the ReplicaSet's own controller does.
void Deployment::fill(size_t index) {
  Set& set = sets_[index];
  const auto is_active = [&](const auto& pod) {
    return static_cast<size_t>(pod.second.number) == index && !pod.second.terminating;
  };
  const int64_t active = std::ranges::count_if(pods(), is_active);
  set.object.replicas = static_cast<uint64_t>(set.replicas);
  for (int64_t i = active; i < set.replicas; ++i) {
    const std::string name = means().free_name(set.object, set.object.next_ordinal, 0);
    means().create(set.object, ingest::replica_pod(set.object, name));
  }
  if ((scaled() || sets_.size() != 1) && active > set.replicas)
    give_up(static_cast<uint64_t>(active - set.replicas), false, static_cast<int64_t>(index));
}

}  // namespace berth::played
