#include "engine/played/workloads/played_workload.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <set>
#include <string_view>
#include <utility>

#include "engine/base/assert.h"
#include "engine/controllers/workloads/replicas.h"
#include "engine/ingest/workloads/workload.h"

namespace berth::played {
namespace {

int64_t number_in(std::string_view text) {
  int64_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : -1;
}

bool keeps_template(model::WorkloadKind kind) {
  using enum model::WorkloadKind;
  return kind == kStatefulSet || kind == kDaemonSet;
}

}  // namespace

int64_t PlayedWorkload::number_of(const model::PodRecord& pod) const {
  const model::Cluster& cluster = means_.cluster();
  if (object_.kind == model::WorkloadKind::kStatefulSet) {
    const std::string_view name = cluster.text(pod.name);
    if (!name.starts_with(object_.name + "-")) return -1;
    return number_in(name.substr(object_.name.size() + 1));
  }
  if (!object_.job.indexed) return -1;
  for (const auto& [key, value] : cluster.templates().labels(pod.labels))
    if (cluster.text(key) == ingest::kIndexLabel) return number_in(cluster.text(value));
  return -1;
}

std::vector<const PlayedWorkload::OwnPod*> PlayedWorkload::sorted_pods() const {
  std::vector<const OwnPod*> all;
  for (const auto& [handle, pod] : pods_) all.push_back(&pod);
  std::ranges::sort(all, [](const OwnPod* a, const OwnPod* b) {
    return std::pair(a->created, a->id.handle()) < std::pair(b->created, b->id.handle());
  });
  return all;
}

std::vector<model::PodId> PlayedWorkload::active_pods() const {
  std::vector<model::PodId> ids;
  for (const OwnPod* pod : sorted_pods())
    if (!pod->terminating) ids.push_back(pod->id);
  return ids;
}

void PlayedWorkload::put(const model::Workload& object) {
  const uint64_t asked = replicas();
  const model::Workload before = std::exchange(object_, object);
  object_.next_ordinal = std::max(before.next_ordinal, object.next_ordinal);
  if (keeps_template(object.kind) && object.revision != before.revision) {
    object_.revision = before.revision;
    object_.controller = before.controller;
    object_.pod = before.pod;
    object_.claims = before.claims;
    object_.ephemeral_claims = before.ephemeral_claims;
  }
  if (object.replicas != before.replicas || object.first_ordinal != before.first_ordinal ||
      object.job.suspended != before.job.suspended)
    scaled_ = true;
  changed(before, asked);
}

bool PlayedWorkload::pod_changed(const model::PodRecord& pod, bool was_active) {
  const auto [at, is_new] = pods_.try_emplace(pod.id.handle());
  OwnPod& own = at->second;
  bool acts = false;
  if (is_new) {
    own = {.id = pod.id,
           .created = means_.now(),
           .number = number_of(pod),
           .terminating = pod.terminating && !was_active};
    if (!own.terminating) most_ = std::max(most_, ++active_);
    acts |= came(own, pod);
  }
  if (pod.state == model::PodState::kBound && !own.bound) {
    own.bound = means_.now();
    acts |= was_bound();
  }
  if (!pod.terminating || own.terminating) return acts;
  own.terminating = true;
  --active_;
  return terminates(own) || acts;
}

bool PlayedWorkload::pod_disrupted(const model::PodRecord& pod) {
  const auto at = pods_.find(pod.id.handle());
  if (at != pods_.end()) at->second.disrupted = true;
  return false;
}

bool PlayedWorkload::pod_ends(const model::PodRecord& pod, const runtime::PodFinish* finish) {
  const auto at = pods_.find(pod.id.handle());
  if (at == pods_.end()) return false;
  OwnPod own = at->second;
  own.disrupted |= pod.preempted;
  pods_.erase(at);
  if (!own.terminating) --active_;
  return ended(own, pod, finish);
}

void PlayedWorkload::remove(const OwnPod& pod) {
  pods_.at(pod.id.handle()).given_up = true;
  means_.remove(pod.id);
}

std::optional<Time> PlayedWorkload::available_from(const OwnPod& pod) const {
  if (!pod.bound || !means_.is_ready(record(pod))) return std::nullopt;
  return *pod.bound + std::chrono::seconds(object_.min_ready_seconds);
}

void PlayedWorkload::give_up(uint64_t count, bool is_job, std::optional<int64_t> number) {
  const model::Cluster& cluster = means_.cluster();
  std::vector<const OwnPod*> own;
  std::vector<controllers::ReplicaPod> choice;
  for (const OwnPod* pod : sorted_pods()) {
    const bool is_own = !number || pod->number == *number;
    if (pod->terminating) continue;
    if (pod->given_up && is_own && count != 0) --count;  // it has not been deleted yet
    if (pod->given_up) continue;
    const model::PodRecord& known = record(*pod);
    controllers::ReplicaPod& one = choice.emplace_back();
    one.name = cluster.text(known.name);
    if (known.placed()) one.node = cluster.nodes().name(known.slot);
    if (pod->bound && means_.is_ready(known)) one.ready_since = pod->bound;
    one.created = pod->created;
    one.is_own = is_own;
    one.deletion_cost = cluster.templates()[known.pod_template].spec.deletion_cost;
    own.push_back(pod);
  }
  using enum controllers::AgeOrder;
  for (const size_t i : controllers::pods_to_delete(choice, count, means_.now(),
                                                    is_job ? kNewestFirst : kLogarithmic))
    remove(*own[i]);
}

}  // namespace berth::played
