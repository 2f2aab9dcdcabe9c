#include "engine/played/controllers/kubelets/kubelets.h"

#include <algorithm>
#include <array>
#include <variant>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/controllers/kubelet/admission/pod_start.h"
#include "engine/model/cluster/pod_name.h"
#include "engine/played/controllers/kubelets/container_runs.h"
#include "engine/played/controllers/kubelets/kubelet_events.h"
#include "engine/played/controllers/kubelets/kubelet_pod.h"
#include "engine/played/controllers/nodes/node_lifecycles.h"

namespace berth::played {

namespace kubelet = controllers::kubelet;

namespace {

constexpr std::array kPressuresInOrder = {kubelet::Pressure::kDisk, kubelet::Pressure::kMemory,
                                          kubelet::Pressure::kPid};

template <typename Value>
const Value* value_in(const std::shared_ptr<const model::ControllerObjectData>& data) {
  return data == nullptr ? nullptr : std::get_if<Value>(&data->value);
}

bool contains(const std::vector<kubelet::Pressure>& all, kubelet::Pressure one) {
  return std::ranges::find(all, one) != all.end();
}

}  // namespace

std::optional<Time> Kubelets::next() const {
  if (!refused_.empty() || !starting_.empty()) return now();
  std::optional<Time> first = leaving_.next();
  if (!due_.empty() && (!first || due_.begin()->first < *first)) first = due_.begin()->first;
  return first;
}

bool Kubelets::unfinished() const {
  if (removes_pods()) return true;
  return std::ranges::any_of(
      nodes_, [](const auto& one) { return one.second.tells || one.second.kubelet->unfinished(); });
}

void Kubelets::run_due() {
  start_pods();
  refuse_pods();
  while (const auto pod = leaving_.take(now())) end(*pod);
  while (!due_.empty() && due_.begin()->first <= now()) {
    const std::string node = due_.begin()->second;
    Running& running = nodes_.find(node)->second;
    for (const KubeletAct& one : running.kubelet->run_due(now()))
      std::visit([&](const auto& what) { act(node, running, what); }, one);
    if (running.tells && *running.tells <= now()) tell_pressures(node, running);
    reschedule(node, running);
  }
}

void Kubelets::reschedule(const std::string& node, Running& running) {
  std::optional<Time> due = running.kubelet->next();
  if (running.tells && (!due || *running.tells < *due)) due = running.tells;
  if (due == running.due) return;
  if (running.due) due_.erase({*running.due, node});
  if (due) due_.emplace(*due, node);
  running.due = due;
}

bool Kubelets::leave(model::PodId pod, Time at) {
  if (held_.contains(pod) || !leaving_.add(pod, full_name(cluster(), pod), at)) return false;
  runs_.stops(pod);
  return true;
}

void Kubelets::end(model::PodId pod) {
  const std::string node = name(cluster().pod(pod).slot);
  if (stopped_.is_silent(node)) return held_.add(pod, full_name(cluster(), pod), node);
  core().door().finish(pod, {.succeeded = false});
}

void Kubelets::act(const std::string&, Running&, const KubeletEviction& eviction) {
  const model::PodId pod = eviction.pod;
  if (!leave(pod, eviction.leaves)) return;
  const std::string& message = eviction.why.text.message;
  const auto& condition = eviction.why.condition;
  core().door().tell_evicted({.pod = pod,
                              .reason = condition ? condition->reason : kubelet::kEvicted,
                              .message = message,
                              .has_condition = condition.has_value()});
  core().door().record(pod_evicted(cluster(), cluster().pod(pod), eviction.why.text));
}

void Kubelets::act(const std::string& node, Running&, const KubeletWarning& warning) {
  core().door().record(threshold_met(node, warning.message));
}

void Kubelets::act(const std::string&, Running&, const KubeletOomKill& kill) {
  core().door().record(container_killed(cluster(), cluster().pod(kill.pod), kill.container));
}

void Kubelets::act(const std::string&, Running& running, const KubeletPressures&) {
  constexpr Time kFirst = std::chrono::seconds(2);
  const auto* own = value_in<model::KubeletConfiguration>(running.configuration);
  const Time apart =
      own == nullptr ? model::KubeletConfiguration().status_update : own->status_update;
  const Time since = std::max(now() - kFirst, Time());
  if (!running.tells) running.tells = kFirst + (since + apart - Time(1)) / apart * apart;
}

void Kubelets::tell_pressures(const std::string& node, Running& running) {
  running.tells.reset();
  const std::vector<kubelet::Pressure> before =
      std::exchange(running.told, running.kubelet->pressures());
  if (before == running.told) return;
  std::vector<controllers::Condition> conditions;
  for (const kubelet::Pressure one : kPressuresInOrder) {
    const bool is = contains(running.told, one);
    if (is != contains(before, one)) core().door().record(pressure_changed(node, one, is));
    conditions.push_back({.type = std::string(name_of(one)),
                          .status = is ? "True" : "False",
                          .reason = pressure_reason(one, is)});
  }
  if (lifecycles_ != nullptr) lifecycles_->set_pressures(node, conditions);
}

void Kubelets::start_pods() {
  std::vector<model::PodId> later = std::exchange(starting_, {});
  while (!later.empty()) {
    const model::PodId pod = later.front();
    later.erase(later.begin());
    if (cluster().pods().contains(pod) && is_bound(cluster().pod(pod))) start_pod(pod, later);
  }
}

// Pods that come after it do not count yet, and those that stop still do.
void Kubelets::start_pod(model::PodId pod, const std::vector<model::PodId>& later) {
  const std::string on = name(cluster().pod(pod).slot);
  if (!may_run(on)) return;
  if (const auto at = nodes_.find(on); at != nodes_.end())
    if (auto why = at->second.kubelet->refusal_of(kubelet_pod(cluster(), cluster().pod(pod))))
      return refused_.push_back({pod, std::move(*why)});
  const auto counts = [&](model::PodId other) {
    return other != pod && is_bound(cluster().pod(other)) &&
           std::ranges::find(later, other) == later.end() &&
           std::ranges::find(refused_, other, &Refused::pod) == refused_.end();
  };
  std::vector<model::PodId> others = cluster().pods_on(on);
  std::erase_if(others, [&](model::PodId other) { return !counts(other); });
  KubeletStart start = starts_.decide(pod, others);
  if (start.refusal) return refused_.push_back({pod, std::move(*start.refusal)});
  const controllers::Condition why = kubelet::preempted_condition(now());
  for (const model::PodId other : start.preempted) {
    if (!leave(other, now() + grace_of(spec(cluster().pod(other))))) continue;
    core().door().tell_evicted({other, why.reason, why.message});
    core().door().record(pod_preempted(cluster(), cluster().pod(other)));
  }
}

void Kubelets::refuse_pods() {
  for (const Refused& one : std::exchange(refused_, {})) {
    const model::PodId pod = one.pod;
    const std::string message = std::string(kubelet::kRejected) + one.why.message;
    core().door().tell_evicted(
        {.pod = pod, .reason = one.why.reason, .message = message, .has_condition = false});
    core().door().record(pod_refused(cluster(), cluster().pod(pod), one.why));
    core().door().finish(pod, {.succeeded = false});
  }
}

void Kubelets::object_changed(model::Operation operation, const model::Object& object) {
  if (const auto* other = std::get_if<model::ControllerObject>(&object))
    return take(operation, *other);
  const auto* node = std::get_if<model::Node>(&object);
  if (node == nullptr) return;
  if (operation == model::Operation::kDeleted) return node_gone(node->name);
  sizes_[node->name] = size_of(*node);
  starts_.node_changed(*node);
  if (!stopped_.is_silent(node->name)) held_.release(node->name, now(), leaving_);
  refresh(node->name);
}

void Kubelets::take(model::Operation operation, const model::ControllerObject& object) {
  const Data data = operation == model::Operation::kDeleted ? nullptr : object.data;
  if (object.kind == "KubeletConfiguration") return take_configuration(object.name, data);
  if (object.kind == "PodMetrics") return take_pod_metrics(full_name(object), data);
  if (object.kind == "NodeMetrics") return take_node_metrics(object.name, data);
}

void Kubelets::take_configuration(const std::string& name, const Data& data) {
  if (data == nullptr) {
    configurations_.erase(name);
  } else {
    configurations_[name] = data;
    check_configuration(name, *value_in<model::KubeletConfiguration>(data));
  }
  std::vector<std::string> running;
  for (const auto& [node, kubelet] : nodes_) running.push_back(node);
  for (const std::string& node : running) refresh(node);
}

// Of two for the same nodes the first one by name holds.
void Kubelets::check_configuration(const std::string& name,
                                   const model::KubeletConfiguration& configuration) {
  for (const auto& [other, data] : configurations_)
    if (other != name &&
        value_in<model::KubeletConfiguration>(data)->node_selector == configuration.node_selector)
      core().diagnostics().report(
          Error(Place{.file = {}, .field = "KubeletConfiguration " + std::max(name, other)},
                "is for the same nodes as KubeletConfiguration " + std::min(name, other) +
                    ", which holds: select other nodes with the annotation berth/node-selector"));
}

void Kubelets::take_pod_metrics(const std::string& pod, const Data& data) {
  if (data == nullptr) {
    pod_metrics_.erase(pod);
  } else {
    wake();
    pod_metrics_[pod] = data;
  }
  const model::PodId id = find_pod(pod);
  if (!id) return;
  if (const auto at = where_.find(id.handle()); at != where_.end()) {
    Running& running = nodes_.find(at->second)->second;
    running.kubelet->measure(id, value_in<model::PodMetrics>(data), now());
    reschedule(at->second, running);
  } else if (data != nullptr) {
    pod_changed(id);
  }
}

std::vector<std::string> Kubelets::measured_without_pod() const {
  std::vector<std::string> pods;
  for (const auto& [pod, data] : pod_metrics_)
    if (!ended_.contains(pod) && !find_pod(pod)) pods.push_back(pod);
  return pods;
}

void Kubelets::take_node_metrics(const std::string& node, const Data& data) {
  if (data == nullptr) {
    node_metrics_.erase(node);
    return;
  }
  wake();
  node_metrics_[node] = data;
  const auto at = nodes_.find(node);
  if (at == nodes_.end()) {
    run(node);
    return;
  }
  at->second.kubelet->measure_node(*value_in<model::NodeMetrics>(data), now());
  reschedule(node, at->second);
}

void Kubelets::node_gone(const std::string& node) {
  stop(node);
  sizes_.erase(node);
  starts_.node_gone(node);
  node_metrics_.erase(node);
}

Kubelets::Data Kubelets::configuration_for(const std::string& node) const {
  if (configurations_.empty()) return nullptr;
  const model::StringMap labels =
      model::label_texts(cluster().strings(), this->node(find_node(node)).labels);
  const Data* others = nullptr;
  for (const auto& [name, data] : configurations_) {
    const auto& configuration = *value_in<model::KubeletConfiguration>(data);
    if (selects(configuration, labels)) return data;
    if (!configuration.node_selector && others == nullptr) others = &data;
  }
  return others == nullptr ? nullptr : *others;
}

const model::PodMetrics* Kubelets::metrics_of(const model::PodRecord& pod) const {
  if (pod_metrics_.empty()) return nullptr;
  const auto at = pod_metrics_.find(full_name(cluster(), pod));
  return at == pod_metrics_.end() ? nullptr : value_in<model::PodMetrics>(at->second);
}

bool Kubelets::may_run(const std::string& node) const {
  return sizes_.contains(node) && !stopped_.is_silent(node) && find_node(node) != model::kNoSlot;
}

Kubelets::Running* Kubelets::run(const std::string& node) {
  if (const auto at = nodes_.find(node); at != nodes_.end()) return &at->second;
  if (!may_run(node)) return nullptr;
  Running& running = nodes_[node];
  start(node, running);
  return &running;
}

// With all pods of the node. A kubelet that starts knows of no pressure.
void Kubelets::start(const std::string& node, Running& running) {
  running.size = sizes_.find(node)->second;
  running.configuration = configuration_for(node);
  const auto* own = value_in<model::KubeletConfiguration>(running.configuration);
  const kubelet::MachineSize machine = machine_size(running.size, own);
  running.kubelet = std::make_unique<NodeKubelet>(eviction_settings(own, machine), machine, now());
  for (const model::PodId pod : cluster().pods_on(node))
    if (is_bound(cluster().pod(pod))) add(pod, node, running);
  if (const auto at = node_metrics_.find(node); at != node_metrics_.end())
    running.kubelet->measure_node(*value_in<model::NodeMetrics>(at->second), now());
  if (!running.told.empty()) act(node, running, KubeletPressures());
  reschedule(node, running);
}

void Kubelets::stop(const std::string& node) {
  const auto at = nodes_.find(node);
  if (at == nodes_.end()) return;
  std::erase_if(where_, [&](const auto& one) { return one.second == node; });
  if (at->second.due) due_.erase({*at->second.due, node});
  nodes_.erase(at);
}

// Starts the node's kubelet again if what it was told is another now, and one that was stopped.
void Kubelets::refresh(const std::string& node) {
  if (!may_run(node)) return stop(node);
  const auto at = nodes_.find(node);
  if (at != nodes_.end()) {
    if (at->second.size == sizes_.find(node)->second &&
        at->second.configuration == configuration_for(node))
      return;
    return start(node, at->second);
  }
  if (node_metrics_.contains(node)) {
    run(node);
  } else if (!pod_metrics_.empty()) {
    for (const model::PodId pod : cluster().pods_on(node)) pod_changed(pod);
  }
}

void Kubelets::add(model::PodId pod, const std::string& node, Running& running) {
  const model::PodRecord& record = cluster().pod(pod);
  running.kubelet->add(pod, kubelet_pod(cluster(), record), metrics_of(record), now());
  where_[pod.handle()] = node;
}

// A pod that the scheduler binds may come to a node of whose pressure nobody has heard yet.
void Kubelets::pod_changed(model::PodId id) {
  if (nodes_.empty() && pod_metrics_.empty()) return;
  const model::PodRecord& pod = cluster().pod(id);
  if (!is_bound(pod)) return;
  const std::string on = name(pod.slot);
  if (const auto at = where_.find(id.handle()); at != where_.end()) {
    if (at->second == on) return;
    Running& left = nodes_.find(at->second)->second;
    left.kubelet->remove(id, now());
    reschedule(at->second, left);
    where_.erase(at);
  }
  Running* running = nullptr;
  if (const auto at = nodes_.find(on); at != nodes_.end()) {
    running = &at->second;
  } else if (metrics_of(pod) != nullptr) {
    run(on);  // with this pod
    return;
  }
  if (running == nullptr) return;
  if (pod.attempts != 0)
    if (const auto why = running->kubelet->refusal_of(kubelet_pod(cluster(), pod)))
      refused_.push_back({id, *why});
  add(id, on, *running);
  reschedule(on, *running);
}

void Kubelets::pod_ends(model::PodId pod) {
  if (const auto at = where_.find(pod.handle()); at != where_.end()) {
    Running& running = nodes_.find(at->second)->second;
    running.kubelet->remove(pod, now());
    reschedule(at->second, running);
    where_.erase(at);
  }
  if (!pod_metrics_.empty())
    if (std::string name = full_name(cluster(), pod); pod_metrics_.erase(name) != 0)
      ended_.insert(std::move(name));
  leaving_.forget(pod);
  held_.forget(pod);
  std::erase_if(refused_, [&](const Refused& one) { return one.pod == pod; });
}

}  // namespace berth::played
