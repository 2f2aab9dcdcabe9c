#include "engine/controllers/pods/pod_collector.h"

#include <algorithm>
#include <chrono>

namespace berth::controllers {
namespace {

constexpr Time kRounds = std::chrono::seconds(20);
constexpr Time kQuarantine = std::chrono::seconds(40);

// Evicted pods first. Pods of one name in two namespaces: by namespace.
std::tuple<bool, Time, std::string, std::string> removal_order(const CollectedPod& pod) {
  return {!pod.evicted, pod.created, pod.name.substr(pod.name.find('/') + 1), pod.name};
}

}  // namespace

void PodCollector::node_changed(Time now, const std::string& node, bool ready,
                                const std::vector<model::Taint>& taints) {
  nodes_[node] = !ready && std::ranges::any_of(taints, [](const model::Taint& taint) {
    return taint.key == "node.kubernetes.io/out-of-service";
  });
  gone_.erase(node);
  plan(now);
}

void PodCollector::node_gone(Time now, const std::string& node) {
  nodes_.erase(node);
  gone_.insert(node);
  plan(now);
}

void PodCollector::pod_changed(Time now, const CollectedPod& pod) {
  pod_gone(pod.name);
  if (!pod.node.empty() && !nodes_.contains(pod.node)) gone_.insert(pod.node);
  if (pod.finished || pod.terminating) pods_.emplace(pod.name, pod);
  if (pod.finished) finished_.insert(removal_order(pod));
  if (pod.terminating) terminating_.insert(pod.name);
  plan(now);
}

void PodCollector::pod_gone(const std::string& pod) {
  const auto found = pods_.find(pod);
  if (found == pods_.end()) return;
  if (found->second.finished) finished_.erase(removal_order(found->second));
  terminating_.erase(pod);
  pods_.erase(found);
}

bool PodCollector::is_idle() const {
  return !too_many_finished() && gone_.empty() && waits_.empty() && terminating_.empty();
}

bool PodCollector::is_lost(const CollectedPod& pod) const {
  const auto node = nodes_.find(pod.node);
  return pod.node.empty() || (node != nodes_.end() && node->second);
}

bool PodCollector::unfinished() const {
  if (!round_) return false;
  return too_many_finished() || !gone_.empty() || !waits_.empty() ||
         std::ranges::any_of(terminating_,
                             [this](const std::string& pod) { return is_lost(pods_.at(pod)); });
}

void PodCollector::plan(Time now) {
  if (round_ || is_idle()) return;
  const Time late = now % kRounds;
  round_ = late == Time{} ? now : now - late + kRounds;
  if (round_ == last_round_) *round_ += kRounds;
}

void PodCollector::run_due(Time now) {
  if (!round_ || *round_ > now) return;
  round_.reset();
  last_round_ = now;
  Names removed;
  remove_finished(now, removed);
  remove_terminating(now, true, removed);
  remove_orphans(now, removed);
  remove_terminating(now, false, removed);
  plan(now);
}

void PodCollector::remove(Time now, const CollectedPod& pod, const Condition* condition,
                          Names& removed) {
  if (removed.insert(pod.name).second)
    cluster_.collect(now, pod, pod.finished ? nullptr : condition);
}

void PodCollector::remove_finished(Time now, Names& removed) {
  if (!too_many_finished()) return;
  std::vector<CollectedPod> first;
  const size_t count = finished_.size() - most_finished_;
  for (auto at = finished_.begin(); first.size() < count; ++at)
    first.push_back(pods_.at(std::get<3>(*at)));
  for (const CollectedPod& pod : first) remove(now, pod, nullptr, removed);
}

// Those on nodes that are out of service, or those that are not bound.
void PodCollector::remove_terminating(Time now, bool bound, Names& removed) {
  std::vector<CollectedPod> some;
  for (const std::string& name : terminating_) {
    const CollectedPod& pod = pods_.at(name);
    if (pod.node.empty() != bound && is_lost(pod)) some.push_back(pod);
  }
  for (const CollectedPod& pod : some) remove(now, pod, nullptr, removed);
}

void PodCollector::remove_orphans(Time now, Names& removed) {
  Names over;
  for (const auto& [node, until] : waits_)
    if (until <= now) over.insert(node);
  for (const std::string& node : over) waits_.erase(node);
  for (const std::string& node : Names(gone_)) {
    const std::vector<CollectedPod> pods = cluster_.pods_on(node);
    if (pods.empty()) {
      gone_.erase(node);
      continue;
    }
    waits_.try_emplace(node, now + kQuarantine);
    if (!over.contains(node)) continue;
    const Condition condition{"DisruptionTarget", "True", "DeletionByPodGC",
                              "PodGC: node no longer exists", now};
    for (const CollectedPod& pod : pods) remove(now, pod, &condition, removed);
  }
}

}  // namespace berth::controllers
