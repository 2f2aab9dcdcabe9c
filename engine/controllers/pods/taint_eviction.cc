#include "engine/controllers/pods/taint_eviction.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "engine/base/assert.h"
#include "engine/model/pods/tolerates.h"

namespace berth::controllers {
namespace {

constexpr Time kAtOnce{0};
constexpr Time kForEver = Time::max();

std::vector<model::Taint> no_execute(const std::vector<model::Taint>& taints) {
  std::vector<model::Taint> some;
  std::ranges::copy_if(taints, std::back_inserter(some),
                       [](const model::Taint& taint) { return taint.effect == "NoExecute"; });
  return some;
}

// Seconds beyond the range of Time are for ever.
Time toleration_time(std::optional<int64_t> seconds) {
  if (!seconds || *seconds > std::chrono::floor<std::chrono::seconds>(kForEver).count())
    return kForEver;
  return *seconds <= 0 ? kAtOnce : std::chrono::seconds(*seconds);
}

struct Stay {
  std::optional<Time> left;             // nothing: the pod does not tolerate the taint
  const model::Taint* taint = nullptr;  // that says so; null: all are tolerated for ever
};

// For how long the pod may stay.
Stay stay_of(const std::vector<model::Toleration>& tolerations,
             const std::vector<model::Taint>& taints) {
  Stay shortest{kForEver};
  for (const model::Taint& taint : taints) {
    const auto first = std::ranges::find_if(
        tolerations, [&](const model::Toleration& one) { return model::tolerates(one, taint); });
    if (first == tolerations.end()) return {std::nullopt, &taint};
    const Time time = toleration_time(first->seconds);
    if (time < *shortest.left) shortest = {time, &taint};
  }
  return shortest;
}

}  // namespace

Condition taint_eviction_condition(Time now) {
  return {"DisruptionTarget", "True", "DeletionByTaintManager",
          "Taint manager: deleting due to NoExecute taint", now};
}

void TaintEviction::node_changed(Time now, const std::string& node,
                                 const std::vector<model::Taint>& taints) {
  Taints some = no_execute(taints);
  if (some.empty()) {
    tainted_.erase(node);
    const auto timed = timed_on_.find(node);
    if (timed == timed_on_.end()) return;
    for (const std::string& pod : std::set<std::string>(timed->second)) cancel(now, pod);
    return;
  }
  Taints& known = tainted_[node];
  if (known == some) return;
  known = some;
  for (const TaintedPod& pod : cluster_.pods_on(node)) judge(now, pod, node, some);
}

void TaintEviction::pod_changed(Time now, const TaintedPod& pod, const std::string& node) {
  const auto taints = tainted_.find(node);
  if (taints != tainted_.end()) judge(now, pod, node, Taints(taints->second));
}

void TaintEviction::judge(Time now, const TaintedPod& pod, const std::string& node,
                          const Taints& taints) {
  const auto [left, taint] = stay_of(pod.tolerations, taints);
  if (!left) {
    stop(pod.name);
    cluster_.evict(now, pod.name, *taint);
  } else if (left == kForEver) {
    cancel(now, pod.name);
  } else if (timers_.contains(pod.name)) {
    // It keeps its end, even if the pod had no time left now.
  } else if (left == kAtOnce) {
    cluster_.evict(now, pod.name, *taint);
  } else {
    start(pod.name, {now > kForEver - *left ? kForEver : now + *left, node, *taint});
  }
}

void TaintEviction::start(const std::string& pod, Timer timer) {
  order_.emplace(timer.due, pod);
  timed_on_[timer.node].insert(pod);
  timers_.emplace(pod, std::move(timer));
}

bool TaintEviction::stop(const std::string& pod) {
  const auto timer = timers_.find(pod);
  if (timer == timers_.end()) return false;
  const auto timed = timed_on_.find(timer->second.node);
  BERTH_ASSERT(timed != timed_on_.end());
  timed->second.erase(pod);
  if (timed->second.empty()) timed_on_.erase(timed);
  order_.erase({timer->second.due, pod});
  timers_.erase(timer);
  return true;
}

void TaintEviction::cancel(Time now, const std::string& pod) {
  if (stop(pod)) cluster_.cancelled(now, pod);
}

std::optional<Time> TaintEviction::next() const {
  return order_.empty() ? std::nullopt : std::optional(order_.begin()->first);
}

void TaintEviction::run_due(Time now) {
  while (!order_.empty() && order_.begin()->first <= now) {
    const std::string pod = order_.begin()->second;
    const model::Taint taint = timers_.at(pod).taint;
    stop(pod);
    cluster_.evict(now, pod, taint);
  }
}

}  // namespace berth::controllers
