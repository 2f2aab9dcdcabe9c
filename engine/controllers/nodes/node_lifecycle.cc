#include "engine/controllers/nodes/node_lifecycle.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "engine/base/assert.h"
#include "engine/controllers/nodes/node_taints.h"

namespace berth::controllers {
namespace {

constexpr Time kPassPeriod = std::chrono::milliseconds(100);
constexpr Time kPassOffset = std::chrono::milliseconds(50);

constexpr std::array<std::string_view, 4> kOfKubelet = {"Ready", "MemoryPressure", "DiskPressure",
                                                        "PIDPressure"};

const Condition* ready_of(const WatchedNode& node) { return find(node.conditions, "Ready"); }

}  // namespace

NodeLifecycle::Node& NodeLifecycle::present(const std::string& name) {
  const auto found = nodes_.find(name);
  BERTH_ASSERT(found != nodes_.end() && found->second.present);
  return found->second;
}

void NodeLifecycle::wake(Time now, const std::string& name) {
  awake_.insert(name);
  if (look_) return;
  const Time due = first_from(now, kLookPeriod);
  look_ = looked_ == due ? due + kLookPeriod : due;
}

void NodeLifecycle::node_changed(Time now, const WatchedNode& object) {
  Node& node = nodes_[object.name];
  if (!node.present) node.lease = {};
  node.present = true;
  node.object = object;
  wake(now, object.name);
  if (put_condition_taints(node.object.taints, node.object.conditions, node.object.unschedulable))
    cluster_.set_taints(now, object.name, node.object.taints);
}

// Takes over what looks before `now` have found that left the node out.
void NodeLifecycle::catch_up(Time now, Node& node) {
  if (heard_) node.health.hear(*heard_);
  node.health.catch_up(node.lease.last(first_from(now - kLookPeriod, kLookPeriod)));
}

void NodeLifecycle::node_gone(Time now, const std::string& node) {
  catch_up(now, present(node));
  present(node).present = false;
  wake(now, node);
}

void NodeLifecycle::kubelet_starts(Time now, const std::string& node, Time phase) {
  catch_up(now, present(node));
  present(node).lease.start(now, phase);
  wake(now, node);
}

void NodeLifecycle::kubelet_stops(Time now, const std::string& node) {
  present(node).lease.stop(now);
  wake(now, node);
}

void NodeLifecycle::pod_bound(Time now, const std::string& pod, const std::string& node) {
  const auto found = nodes_.find(node);
  if (found == nodes_.end() || !found->second.present) return;
  const std::string& ready = found->second.health.ready();
  if (!ready.empty() && ready != "True") cluster_.set_pod_not_ready(now, pod);
}

std::optional<Time> NodeLifecycle::next() const {
  if (look_ && pass_) return std::min(*look_, *pass_);
  return look_ ? look_ : pass_;
}

void NodeLifecycle::run_due(Time now) {
  if (look_ && *look_ <= now) look(now);
  if (pass_ && *pass_ <= now)
    zones_.run(now, [&](const std::string& node) { return take_turn(now, node); });
  plan_pass(now);
}

void NodeLifecycle::plan_pass(Time now) {
  const std::optional<Time> turn = zones_.next();
  pass_.reset();
  if (turn) pass_ = first_from(std::max(*turn, now + Time(1)), kPassPeriod, kPassOffset);
}

void NodeLifecycle::look(Time now) {
  look_.reset();
  looked_ = now;
  const std::set<std::string> names = std::exchange(awake_, {});
  std::vector<Node*> found;
  std::vector<std::string> lost;
  for (const std::string& name : names) {
    Node& node = nodes_.at(name);
    if (node.counted) zones_.uncount(node.counted->first, node.counted->second);
    node.counted.reset();
    if (node.present) found.push_back(&node);
    if (node.known && !node.present) lost.push_back(name);
    node.known = node.known && node.present;
  }
  for (Node* const node : found) see(now, *node);
  for (const std::string& name : lost) cluster_.node_lost(now, name);
  for (Node* const node : found) look_at(now, *node);
  const Zones::Turn turn = zones_.judge(now);
  if (turn == Zones::Turn::kResume) heard_ = now;
  for (Node* const node : found) {
    if (turn == Zones::Turn::kStop) set_reachable(now, *node);
    if (!is_settled(*node)) wake(now, node->object.name);
  }
}

// Before any node is looked at.
void NodeLifecycle::see(Time now, Node& node) {
  node.was_not_ready = has_taint(node.object.taints, kNotReady, kNoExecute);
  node.was_unreachable = has_taint(node.object.taints, kUnreachable, kNoExecute);
  zones_.see(node.object.zone);
  if (!node.known) {
    cluster_.node_found(now, node.object.name);
    set_reachable(now, node);
  }
  node.known = true;
}

void NodeLifecycle::look_at(Time now, Node& node) {
  const Condition* ready = ready_of(node.object);
  const std::string before = ready == nullptr ? "Unknown" : ready->status;
  catch_up(now, node);
  node.health.look(now, {ready, node.object.heartbeat, node.object.created, node.lease.last(now)});
  if (node.health.is_silent(now, ready != nullptr)) set_unknown(now, node);
  count(node);
  ready = ready_of(node.object);
  if (ready == nullptr) return;
  const std::string status = ready->status;
  taint(now, node, status);
  if (status != "True" && before == "True") cluster_.set_pods_not_ready(now, node.object.name);
}

void NodeLifecycle::set_unknown(Time now, Node& node) {
  WatchedNode& object = node.object;
  const Condition* const ready = ready_of(object);
  if (ready != nullptr && ready->status == "Unknown") return;  // nor are the others written
  if (ready == nullptr) object.heartbeat = object.created;
  for (const std::string_view type : kOfKubelet) {
    const Condition* const condition = find(object.conditions, type);
    if (condition == nullptr) {
      put(object.conditions, {std::string(type), "Unknown", "NodeStatusNeverUpdated",
                              "Kubelet never posted node status.", now});
    } else if (condition->status != "Unknown") {
      put(object.conditions, {std::string(type), "Unknown", "NodeStatusUnknown",
                              "Kubelet stopped posting node status.", now});
    }
  }
  node.health.set_unknown(object.heartbeat, node.lease.last(now));
  cluster_.set_conditions(now, object.name, object.conditions);
  if (put_condition_taints(object.taints, object.conditions, object.unschedulable))
    cluster_.set_taints(now, object.name, object.taints);
}

void NodeLifecycle::count(Node& node) {
  if (node.object.excluded) return;
  const Condition* const ready = ready_of(node.object);
  node.counted = {node.object.zone, ready != nullptr && ready->status == "True"};
  zones_.count(node.counted->first, node.counted->second);
}

void NodeLifecycle::taint(Time now, Node& node, std::string_view status) {
  if (status == "True") {
    set_reachable(now, node);
  } else if (status == "False") {
    if (node.was_unreachable) return replace(now, node, kNotReady, kUnreachable);
    enqueue(now, node, node.was_not_ready);
  } else if (status == "Unknown") {
    if (node.was_not_ready) return replace(now, node, kUnreachable, kNotReady);
    enqueue(now, node, node.was_unreachable);
  }
}

void NodeLifecycle::replace(Time now, Node& node, std::string_view key, std::string_view other) {
  std::vector<model::Taint>& taints = node.object.taints;
  const bool added = put_taint(taints, key, kNoExecute);
  const bool removed = remove_taint(taints, other, kNoExecute);
  if (added || removed) cluster_.set_taints(now, node.object.name, taints);
}

// A node that waits comes to the end again at each look.
void NodeLifecycle::enqueue(Time now, Node& node, bool tainted) {
  TaintQueue& queue = zones_.queue(node.object.zone);
  if (!tainted) queue.remove(node.object.name);
  queue.add(now, node.object.name);
}

// Removes the taints that the node had when the look began, and not one that the look has put: so
// a node whose taint was replaced in the look that finds all zones fully disrupted keeps the new
// one.
void NodeLifecycle::set_reachable(Time now, Node& node) {
  std::vector<model::Taint>& taints = node.object.taints;
  const bool one = node.was_unreachable && remove_taint(taints, kUnreachable, kNoExecute);
  const bool other = node.was_not_ready && remove_taint(taints, kNotReady, kNoExecute);
  if (one || other) cluster_.set_taints(now, node.object.name, taints);
  zones_.queue(node.object.zone).remove(node.object.name);
}

bool NodeLifecycle::is_settled(const Node& node) const {
  const Condition* const ready = ready_of(node.object);
  return ready != nullptr && ready->status == "True" && node.lease.run() &&
         node.health.is_settled() && !has_taint(node.object.taints, kNotReady, kNoExecute) &&
         !has_taint(node.object.taints, kUnreachable, kNoExecute);
}

// A node that is gone, or ready again, uses its turn up.
bool NodeLifecycle::take_turn(Time now, const std::string& name) {
  Node& node = nodes_.at(name);
  if (!node.present) return true;
  const Condition* const ready = ready_of(node.object);
  if (ready == nullptr) return false;
  if (ready->status == "False") replace(now, node, kNotReady, kUnreachable);
  if (ready->status == "Unknown") replace(now, node, kUnreachable, kNotReady);
  return true;
}

}  // namespace berth::controllers
