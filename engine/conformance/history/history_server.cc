#include "engine/conformance/history/history_server.h"

#include <utility>

#include "engine/conformance/case_objects.h"

namespace berth::conformance {
namespace {

std::string name_of(const model::Pod& pod) { return pod.namespace_name + "/" + pod.name; }

// A pod that waits on a node for its binding has none as far as the server knows.
bool bound(const model::PodRecord& pod) { return pod.state == model::PodState::kBound; }

}  // namespace

binding::BindAnswer OrderedBindings::bind(const binding::Binding& one) {
  const auto order = orders_.find(std::string(one.namespace_name) + "/" + std::string(one.name));
  if (order == orders_.end()) return {};
  binding::BindAnswer answer = std::move(order->second);
  orders_.erase(order);
  return answer;
}

model::PodId HistoryServer::find(const std::string& name) const {
  const size_t slash = name.find('/');
  return core_.cluster().find_pod(name.substr(0, slash), name.substr(slash + 1));
}

void HistoryServer::add_pod(model::Pod pod, bool finalizers) {
  const std::string name = name_of(pod);
  held_.erase(name);
  if (finalizers) held_.insert(name);
  apply(model::modified(model::TemplatePod::of(std::move(pod))));
}

void HistoryServer::keep_status(model::PodId id, model::Pod& pod) const {
  const model::Cluster& cluster = core_.cluster();
  const model::PodRecord& known = core_.door().latest(id);
  const model::PodSpec& spec = cluster.templates()[known.pod_template].spec;
  pod.uid = cluster.text(known.uid);
  const model::PodRecord& placed = cluster.pod(id);
  pod.spec.node_name = bound(placed) ? cluster.nodes().name(placed.slot) : "";
  pod.spec.container_statuses = spec.container_statuses;
  pod.spec.resize_infeasible = spec.resize_infeasible;
  pod.spec.own_status = spec.own_status;
  pod.phase = model::PodPhase::kUnknown;
  pod.nominated_node_name = known.nominated_node == 0 ? "" : cluster.text(known.nominated_node);
  pod.terminating = known.terminating;
  pod.preempted = known.preempted;
  pod.ready = known.ready;
  pod.created_at = known.created_at;
  pod.started_at = known.started_at;
}

void HistoryServer::update_pod(model::Pod pod, bool finalizers) {
  const std::string name = name_of(pod);
  const model::PodId id = find(name);
  if (!id) throw Error("updatePod: there is no pod " + name);
  keep_status(id, pod);
  held_.erase(name);
  if (finalizers) held_.insert(name);
  if (core_.door().latest(id).terminating && !finalizers && !bound(core_.cluster().pod(id)))
    return core_.door().remove(id);
  apply(model::modified(model::TemplatePod::of(std::move(pod))));
}

void HistoryServer::delete_pod(const std::string& name, std::optional<Time> grace) {
  const model::PodId id = find(name);
  if (!id) throw Error("deletePod: there is no pod " + name);
  const model::PodRecord& pod = core_.cluster().pod(id);
  const bool held = held_.contains(name) && !bound(pod);
  if (held) {
    if (!core_.door().latest(id).terminating) server_.delete_pod(id, std::nullopt);
    return;
  }
  if (!grace && bound(pod))
    grace = played::grace_of(core_.cluster().templates()[pod.pod_template].spec);
  server_.delete_pod(id, core_.now() + grace.value_or(Time{}));
}

void HistoryServer::finish_pod(const std::string& name) {
  const model::PodId id = find(name);
  if (!id) throw Error("finishPod: there is no pod " + name);
  core_.door().remove(id);
}

void HistoryServer::set_nominated_node(const std::string& name, std::string_view node) {
  const model::PodId id = find(name);
  if (!id) throw Error("setNominated: there is no pod " + name);
  core_.door().nominated(id, node);
}

}  // namespace berth::conformance
