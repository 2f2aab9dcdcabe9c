#include "engine/played/controllers/nodes/taint_evictions.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "engine/controllers/nodes/node_taints.h"
#include "engine/events/pod_events.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::played {

namespace {

// "KEY=VALUE:EFFECT", as kubectl has it.
std::string text_of(const model::Taint& taint) {
  return taint.key + (taint.value.empty() ? "" : "=" + taint.value) + ":" + taint.effect;
}

}  // namespace

using controllers::TaintedPod;

// Seconds for longer than any run are for ever.
std::optional<Time> TaintEvictions::next() const {
  constexpr Time kCentury = std::chrono::hours(24 * 365 * 100);
  if (!due_.empty()) return now();
  const std::optional<Time> ends = rules_.next();
  return ends && *ends - now() < kCentury ? ends : std::nullopt;
}

void TaintEvictions::run_due() {
  rules_.run_due(now());
  const controllers::Condition why = controllers::taint_eviction_condition(now());
  for (const auto& [name, taint] : std::exchange(due_, {})) {
    const std::string cause = "taint " + text_of(taint);
    if (const model::PodId pod = find_pod(name))
      evictor_.delete_within(pod, {}, {why.reason, why.message, cause});
  }
}

void TaintEvictions::object_changed(model::Operation operation, const model::Object& object) {
  const auto* node = std::get_if<model::Node>(&object);
  if (node == nullptr || operation != model::Operation::kDeleted) return;
  if (tainted_.contains(node->name)) rules_.node_gone(node->name);
}

void TaintEvictions::node_changed(model::Slot slot) {
  if (node(slot).taint_set == 0 && tainted_.empty()) return;
  const std::string of(name(slot));
  const std::vector<model::Taint> all = taints(slot);
  const bool now_tainted = std::ranges::any_of(
      all, [](const auto& taint) { return taint.effect == controllers::kNoExecute; });
  if (!now_tainted && !tainted_.contains(of)) return;
  wake();
  tainted_.insert(of);
  rules_.node_changed(now(), of, all);
}

void TaintEvictions::pod_changed(model::PodId id) {
  if (tainted_.empty()) return;
  const model::PodRecord& pod = cluster().pod(id);
  // Kubernetes' controller hears of a pod's node and tolerations alone, so not of its deletion.
  if (!is_bound(pod) || pod.terminating) return;
  const std::string of(name(pod.slot));
  if (tainted_.contains(of)) rules_.pod_changed(now(), tainted(pod), of);
}

void TaintEvictions::pod_ends(model::PodId pod) {
  if (rules_.next()) rules_.pod_gone(now(), full_name(cluster(), pod));
}

TaintedPod TaintEvictions::tainted(const model::PodRecord& pod) const {
  return {full_name(cluster(), pod), spec(pod).tolerations};
}

std::vector<TaintedPod> TaintEvictions::pods_on(const std::string& node) const {
  std::vector<TaintedPod> pods;
  each_bound_pod(node, [&](const model::PodRecord& pod) { pods.push_back(tainted(pod)); });
  std::ranges::sort(pods, {}, &TaintedPod::name);
  return pods;
}

void TaintEvictions::evict(Time, const std::string& pod, const model::Taint& taint) {
  due_.push_back({pod, taint});
}

void TaintEvictions::cancelled(Time, const std::string& name) {
  if (const model::PodId pod = find_pod(name))
    core().door().record(events::taint_manager_cancels(cluster(), cluster().pod(pod)));
}

}  // namespace berth::played
