#include "engine/conformance/controllers/nodes/taint_eviction_player.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/conformance/case_objects.h"
#include "engine/conformance/controllers/nodes/case_values.h"
#include "engine/conformance/history/history_json.h"
#include "engine/controllers/pods/taint_eviction.h"

namespace berth::conformance {
namespace {

using controllers::Condition;
using controllers::TaintedPod;
using document::Value;

struct TimedPod {
  std::string node;
  std::vector<model::Toleration> tolerations;
  std::vector<Condition> conditions;
  Time grace{};
  std::optional<Time> leaves{};  // it terminates
};

// Nodes and pods in an API server, with a kubelet whose containers use the whole grace period.
class TaintEvictionPlayer final : public Player, private controllers::TaintEvictionCluster {
 public:
  explicit TaintEvictionPlayer(Entries& entries) : entries_(entries), controller_(*this) {}

  void add(Value object) override { create({}, object); }
  void start() override {}
  bool operate(Time now, const std::string& op, Value event) override;
  void settle(Time /*now*/) override {}
  std::optional<Time> next() const override;
  void run_due(Time now) override;

 private:
  std::vector<TaintedPod> pods_on(const std::string& node) const override;
  void evict(Time now, const std::string& name, const model::Taint& taint) override;
  void cancelled(Time now, const std::string& name) override;

  void create(Time now, Value object);
  void set_taints(Time now, Value event);
  void change(Time now, const std::string& name);
  void erase(Time now, const std::string& name);
  // Deletes the pod with its own grace period.
  void remove(Time now, const std::string& name);
  // Null: there is no such pod.
  TimedPod* pod(Value event);

  Entries& entries_;
  controllers::TaintEviction controller_;
  std::set<std::string> nodes_;
  std::map<std::string, TimedPod> pods_;
  std::set<std::pair<Time, std::string>> leaving_;
};

bool TaintEvictionPlayer::operate(Time now, const std::string& op, Value event) {
  const std::string name = text_of(event, "pod");
  if (op == "set-taints") {
    set_taints(now, event);
  } else if (op == "create") {
    create(now, event.find("object"));
  } else if (op == "delete-node") {
    const std::string node = text_of(event, "node");
    if (nodes_.erase(node) != 0) controller_.node_gone(node);
  } else if (op == "delete-pod") {
    if (pods_.contains(name)) remove(now, name);
  } else if (op == "set-tolerations") {
    TimedPod* const found = pod(event);
    auto tolerations = tolerations_of(event.find("tolerations"));
    if (found == nullptr || found->tolerations == tolerations) return true;
    found->tolerations = std::move(tolerations);
    change(now, name);
  } else if (op == "bind") {
    TimedPod* const found = pod(event);
    if (found == nullptr || !found->node.empty()) return true;
    found->node = text_of(event, "node");
    change(now, name);
  } else {
    return false;
  }
  return true;
}

void TaintEvictionPlayer::create(Time now, Value object) {
  const std::string name = name_of(object);
  const Value spec = object.find("spec");
  if (text_of(object, "kind") == "Node") {
    if (nodes_.insert(name).second)
      controller_.node_changed(now, name, taints_of(spec.find("taints")));
    return;
  }
  const std::string phase = text_of(object.find("status"), "phase");
  const bool finished = phase == "Succeeded" || phase == "Failed";
  const int64_t grace = spec.find("terminationGracePeriodSeconds").as_int64().value_or(30);
  pods_.emplace(name, TimedPod{text_of(spec, "nodeName"), tolerations_of(spec.find("tolerations")),
                               conditions_of(object), std::chrono::seconds(finished ? 0 : grace)});
  change(now, name);
}

void TaintEvictionPlayer::set_taints(Time now, Value event) {
  for (const std::string& node : nodes_of(event))
    if (nodes_.contains(node)) controller_.node_changed(now, node, taints_of(event.find("taints")));
}

TimedPod* TaintEvictionPlayer::pod(Value event) {
  const auto found = pods_.find(text_of(event, "pod"));
  return found == pods_.end() ? nullptr : &found->second;
}

void TaintEvictionPlayer::change(Time now, const std::string& name) {
  const auto found = pods_.find(name);
  if (found == pods_.end() || found->second.node.empty()) return;
  const TimedPod pod = found->second;
  controller_.pod_changed(now, {name, pod.tolerations}, pod.node);
}

void TaintEvictionPlayer::remove(Time now, const std::string& name) {
  TimedPod& pod = pods_.at(name);
  if (pod.leaves) return;
  if (pod.node.empty() || pod.grace <= Time{}) return erase(now, name);
  pod.leaves = now + pod.grace;
  leaving_.emplace(*pod.leaves, name);
}

void TaintEvictionPlayer::erase(Time now, const std::string& name) {
  pods_.erase(name);
  controller_.pod_gone(now, name);
}

std::vector<TaintedPod> TaintEvictionPlayer::pods_on(const std::string& node) const {
  std::vector<TaintedPod> some;
  for (const auto& [name, pod] : pods_)
    if (pod.node == node) some.push_back({name, pod.tolerations});
  return some;
}

void TaintEvictionPlayer::evict(Time now, const std::string& name, const model::Taint&) {
  TimedPod& pod = pods_.at(name);
  controllers::put(pod.conditions, controllers::taint_eviction_condition(now));
  const Condition& condition = *controllers::find(pod.conditions, "DisruptionTarget");
  entries_.add(now, "evict", [&](document::JsonWriter& writer) {
    writer.member("pod", name);
    writer.member("alreadyTerminating", pod.leaves.has_value());
    writer.object("condition", [&] {
      write_members(writer, condition);
      writer.member("lastTransitionAt", seconds(condition.transition));
    });
  });
  remove(now, name);
}

void TaintEvictionPlayer::cancelled(Time now, const std::string& name) {
  entries_.add(now, "cancel", [&](document::JsonWriter& writer) {
    writer.member("pod", name);
    writer.object("event", [&] {
      writer.member("type", "Normal");
      writer.member("reason", "TaintManagerEviction");
      writer.member("message", "Cancelling deletion of Pod " + name);
    });
  });
}

std::optional<Time> TaintEvictionPlayer::next() const {
  std::optional<Time> time = controller_.next();
  if (!leaving_.empty() && (!time || leaving_.begin()->first < *time))
    time = leaving_.begin()->first;
  return time;
}

void TaintEvictionPlayer::run_due(Time now) {
  while (!leaving_.empty() && leaving_.begin()->first <= now) {
    const std::string name = leaving_.begin()->second;
    leaving_.erase(leaving_.begin());
    erase(now, name);
  }
  controller_.run_due(now);
}

}  // namespace

std::unique_ptr<Player> taint_eviction_player(Value /*config*/, Entries& entries) {
  return std::make_unique<TaintEvictionPlayer>(entries);
}

}  // namespace berth::conformance
