#include "cli/what_if/step_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <variant>

#include "cli/what_if/outcome_rows.h"
#include "engine/document/document.h"
#include "engine/model/objects/controller_objects.h"

namespace berth::cli {
namespace {

constexpr size_t kFewNames = 3;

std::string owner_key(const std::string& namespace_name, const model::Controller& controller) {
  return controller.kind + " " + namespace_name + "/" + controller.name;
}

// Null: the object is none, or is deleted.
const model::Workload* workload_in(const model::ControllerObject& object) {
  return object.data == nullptr ? nullptr : std::get_if<model::Workload>(&object.data->value);
}

bool may_evict(const Step& step) {
  return step.verb == Verb::kDrain || step.verb == Verb::kRemove ||
         (step.verb == Verb::kTaint && step.taint.effect == "NoExecute");
}

}  // namespace

void StepLog::begin_step(std::string text) {
  StepOutcome& outcome = steps_.emplace_back();
  outcome.text = std::move(text);
  outcome.at = core_.now();
}

void StepLog::note(const Step& one, const StepChanges& made) {
  begin_step(step_text(one));
  step().nodes = made.nodes;
  for (const std::string& node : made.nodes) {
    step().pods += core_.cluster().pods_on(node).size();
    if (may_evict(one)) of_node_[node].push_back(number());
  }
  if (!made.controller) return;
  const std::string owner =
      made.controller->kind + " " + one.scaling.namespace_name + "/" + made.controller->name;
  replicas_[owner] = one.scaling.replicas;
  of_owner_[owner].push_back(number());
}

void StepLog::note(const ingest::Batch& batch, const std::string& file) {
  if (batch.kind == ingest::BatchKind::kTime) lines_.names.clear();
  if (batch.kind != ingest::BatchKind::kEvents) return;
  for (size_t i = 0; i < batch.changes.size(); ++i)
    note_line(batch.changes[i], i < batch.lines.size() ? batch.lines[i] : 0, file);
}

// One line may be several objects, such as a workload and its pods: it is named by the first.
void StepLog::note_line(const model::Change& change, uint32_t line, const std::string& file) {
  const std::string kind(model::kind_of(change.object)), name = model::full_name(change.object);
  const Place place{.file = file, .line = line, .field = "object"};
  const bool goes_on = !lines_.names.empty() && line == lines_.last;
  const bool joins =
      !lines_.names.empty() && lines_.operation == change.operation && lines_.kind == kind;
  if (!goes_on) {
    if (!joins) lines_ = {change.operation, kind, line, line, {}};
    lines_.last = line;
    lines_.names.push_back(name);
    if (!joins) begin_step({});
    step().text = lines_text();
  }
  if (const auto* node = std::get_if<model::Node>(&change.object)) note_node(change, *node, place);
  if (const auto* pod = std::get_if<model::TemplatePod>(&change.object))
    note_pod(change.operation, *pod, place);
  if (const auto* request = std::get_if<model::EvictionRequest>(&change.object)) {
    check_pod(*request, place);
    of_pod_[name].push_back(number());
  }
  if (const auto* object = std::get_if<model::ControllerObject>(&change.object))
    note_workload(change, *object);
}

std::string StepLog::lines_text() const {
  const std::string where = lines_.first == lines_.last
                                ? fmt::format("line {}", lines_.first)
                                : fmt::format("lines {} to {}", lines_.first, lines_.last);
  return fmt::format("{}: {} {} {}", where, model::event_type(lines_.operation), lines_.kind,
                     first_names(lines_.names, kFewNames));
}

void StepLog::note_node(const model::Change& change, const model::Node& node, const Place& place) {
  if (change.operation == model::Operation::kDeleted && !objects_.has_node(node.name))
    throw Error(place, "there is no node " + document::quoted(node.name) + " at that time");
  if (std::ranges::find(step().nodes, node.name) == step().nodes.end()) {
    step().nodes.push_back(node.name);
    step().pods += core_.cluster().pods_on(node.name).size();
  }
  if (change.operation != model::Operation::kAdded) of_node_[node.name].push_back(number());
}

// Lines of one batch may be about one pod.
template <typename Named>
void StepLog::check_pod(const Named& pod, const Place& place) const {
  if (core_.cluster().find_pod(pod.namespace_name, pod.name)) return;
  const std::string name = model::full_name(pod);
  if (!added_.contains(name))
    throw Error(place, "there is no pod " + document::quoted(name) + " at that time");
}

void StepLog::note_pod(model::Operation operation, const model::TemplatePod& pod,
                       const Place& place) {
  const std::string name = model::full_name(pod);
  if (operation == model::Operation::kDeleted) check_pod(pod, place);
  if (operation != model::Operation::kDeleted) added_.insert(name);
  if (operation == model::Operation::kAdded) return;
  of_pod_[name].push_back(number());
  if (operation == model::Operation::kDeleted) removed_.insert(name);
}

// The pods of a former template name another controller.
void StepLog::note_workload(const model::Change& change, const model::ControllerObject& object) {
  const std::string key = KnownObjects::key_of(object);
  const model::Workload* const before = objects_.workload(key);
  const model::Workload* const after = workload_in(object);
  if (before != nullptr) {
    const std::string owner = owner_key(object.namespace_name, before->controller);
    of_owner_[owner].push_back(number());
    workloads_[owner] = key;
    if (change.operation == model::Operation::kDeleted) replicas_[owner] = 0;
  }
  if (after != nullptr) of_controller(object.namespace_name, *after);
}

void StepLog::of_controller(const std::string& namespace_name, const model::Workload& workload) {
  using Kind = model::WorkloadKind;
  constexpr std::array kCounted = {Kind::kDeployment, Kind::kReplicaSet,
                                   Kind::kReplicationController, Kind::kStatefulSet};
  const std::string owner = owner_key(namespace_name, workload.controller);
  of_owner_[owner].push_back(number());
  if (std::ranges::find(kCounted, workload.kind) != kCounted.end())
    replicas_[owner] = workload.replicas;
}

std::string StepLog::owner_now(const std::string& owner) const {
  const auto at = workloads_.find(owner);
  const model::Workload* const of =
      at == workloads_.end() ? nullptr : objects_.workload(at->second);
  return of == nullptr ? owner : owner_key(of->namespace_name, of->controller);
}

// The last of the steps about this name that began before.
const size_t* StepLog::last_step(const StepsOf& steps, const std::string& name, Time before) const {
  const auto at = steps.find(name);
  if (at == steps.end()) return nullptr;
  const auto after =
      std::ranges::find_if(at->second, [&](size_t number) { return steps_[number].at > before; });
  return after == at->second.begin() ? nullptr : &*std::prev(after);
}

// The step because of which the pod left: about the pod; about its workload, if nobody evicted it;
// or about its node. Null: none.
const size_t* StepLog::step_of(const PodLoss& loss) const {
  if (loss.reason == "Preempted") return nullptr;
  if (const size_t* asked = last_step(of_pod_, loss.name, loss.at)) return asked;
  const size_t* scaling =
      loss.reason == "deleted" ? last_step(of_owner_, loss.owner, loss.at) : nullptr;
  return scaling != nullptr ? scaling : last_step(of_node_, loss.node, loss.at);
}

void StepLog::attribute(const std::vector<PodLoss>& losses, WhatIf& answer) {
  for (const PodLoss& loss : losses)
    if (const size_t* number = step_of(loss))
      ++steps_[*number].lost[loss.reason];
    else
      ++answer.lost_otherwise;
  answer.steps = std::move(steps_);
}

}  // namespace berth::cli
