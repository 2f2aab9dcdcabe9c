#include "tests/simulation/world/server.h"

#include <algorithm>
#include <memory>

namespace berth::simulation {
namespace {

constexpr char kFrom[] = "watch";

model::TemplatePod on_the_wire(const model::Pod& pod) {
  model::TemplatePod made;
  model::PodSpec spec = pod.spec;
  made.node_name = std::exchange(spec.node_name, {});
  made.spec = std::make_shared<model::PodSpec>(std::move(spec));
  made.namespace_name = pod.namespace_name;
  made.name = pod.name;
  made.uid = pod.uid;
  made.controller = pod.controller;
  made.nominated_node_name = pod.nominated_node_name;
  made.terminating = pod.terminating;
  made.preempted = pod.preempted;
  return made;
}

}  // namespace

void Server::send(std::string object, model::Change change) {
  sent_.push_back({std::move(object), std::move(change)});
}

void Server::send_pod(const std::string& name) {
  send("pod " + name, model::modified(on_the_wire(pods_.at(name).object)));
}

model::PodId Server::known(const std::string& name) const {
  const auto at = pods_.find(name);
  if (at == pods_.end()) return {};
  const model::Cluster& cluster = core_->cluster();
  const model::PodId id = cluster.find_pod(at->second.object.namespace_name, name);
  const bool same = id && cluster.text(cluster.pod(id).uid) == at->second.object.uid;
  return same ? id : model::PodId{};
}

void Server::put_node(const model::Node& node) {
  const bool known = !nodes_.insert_or_assign(node.name, node).second;
  send("node " + node.name, known ? model::modified(node) : model::added(node));
}

void Server::remove_node(const std::string& name) {
  const auto gone = nodes_.extract(name);
  if (gone) send("node " + name, model::deleted(gone.mapped()));
}

void Server::put_pod(const model::Pod& pod) {
  pods_[pod.name].object = pod;
  send_pod(pod.name);
}

void Server::remove_pod(const std::string& name, bool finished) {
  const auto at = pods_.find(name);
  if (at == pods_.end()) return;
  const std::string in = at->second.object.namespace_name;
  pods_.erase(at);
  send("pod " + name, finished ? model::finished_pod(in, name) : model::deleted_pod(in, name));
}

void Server::replace_pod(const model::Pod& pod) {
  pods_.erase(pod.name);
  put_pod(pod);
}

void Server::bind_elsewhere(const std::string& name, const std::string& node) {
  model::Pod& pod = pods_.at(name).object;
  pod.spec.node_name = node;
  pod.nominated_node_name.clear();
  if (dice_.chance(50)) return send_pod(name);
  send("pod " + name, model::added(on_the_wire(pod)));
}

void Server::put_namespace(const model::Namespace& object) {
  namespaces_[object.name] = object;
  send("namespace " + object.name, model::modified(object));
}

void Server::put_selector_owner(const model::SelectorOwner& object) {
  const std::string name = std::to_string(static_cast<int>(object.kind)) + " " +
                           object.namespace_name + "/" + object.name;
  owners_[name] = object;
  send("owner " + name, model::modified(object));
}

void Server::put_budget(const model::DisruptionBudget& object) {
  const std::string name = "budget " + object.namespace_name + "/" + object.name;
  const bool known = !budgets_.insert_or_assign(name, object).second;
  send(name, known ? model::modified(object) : model::added(object));
}

void Server::remove_budget(const model::DisruptionBudget& object) {
  const std::string name = "budget " + object.namespace_name + "/" + object.name;
  if (budgets_.erase(name) != 0) send(name, model::deleted(object));
}

bool Server::has_budgets(const std::string& namespace_name) const {
  return std::any_of(budgets_.begin(), budgets_.end(),
                     [&](const auto& one) { return one.second.namespace_name == namespace_name; });
}

void Server::bind_unanswered(const model::PodRecord& pod, const std::string& node, bool now) {
  const model::Cluster& cluster = core_->cluster();
  late_.push_back({std::string(cluster.text(pod.name)), std::string(cluster.text(pod.uid)), node});
  if (now) bind_late();
}

void Server::bind_late() {
  for (const Binding& one : std::exchange(late_, {})) {
    const auto at = pods_.find(one.pod);
    if (at == pods_.end() || at->second.object.uid != one.uid || at->second.object.bound())
      continue;
    marks_.hit(Mark::kLateBinding);
    bind_elsewhere(one.pod, one.node);
  }
}

void Server::heal() {
  healed_ = true;
  bind_late();
}

void Server::terminates(const std::string& name, Time leaves, bool preempted) {
  const auto at = pods_.find(name);
  if (at == pods_.end()) return;
  Pod& pod = at->second;
  pod.object.terminating = true;
  pod.object.preempted |= preempted;
  pod.leaves = std::min(leaves, pod.leaves.value_or(leaves));
  send_pod(name);
}

void Server::nominated(const std::string& name, const std::string& node) {
  const auto at = pods_.find(name);
  if (at == pods_.end()) return;
  at->second.object.nominated_node_name = node;
  send_pod(name);
}

void Server::bound(const std::string& name) {
  const bool changed = std::any_of(silent_changes_.begin(), silent_changes_.end(),
                                   [&](const SilentChange& one) { return one.pod == name; });
  if (changed) silent_changes_.push_back({name, core_->scheduler().decisions().count()});
}

void Server::pass(Time now) {
  std::vector<std::string> gone;
  for (const auto& [name, pod] : pods_)
    if (pod.leaves && *pod.leaves <= now) gone.push_back(name);
  for (const std::string& name : gone) remove_pod(name, false);
}

bool Server::pods_leave() const {
  return std::any_of(pods_.begin(), pods_.end(),
                     [](const auto& one) { return one.second.leaves.has_value(); });
}

void Server::deliver(size_t position) {
  const Sent one = std::move(sent_[position]);
  sent_.erase(sent_.begin() + static_cast<long>(position));
  note_silent(one.change);
  api_->apply(one.change, kFrom);
  if (healed_ || !dice_.chance(rates_.duplicate_events)) return;
  marks_.hit(Mark::kDuplicateEvent);
  api_->apply(one.change, kFrom);
}

void Server::note_silent(const model::Change& change) {
  const auto* pod = std::get_if<model::TemplatePod>(&change.object);
  if (pod == nullptr || change.operation != model::Operation::kModified || pod->finished()) return;
  const auto before = std::exchange(told_[pod->uid], pod->spec);
  const bool changes = before != nullptr && *before != *pod->spec;
  const model::PodId id = core_->cluster().find_pod(pod->namespace_name, pod->name);
  if (!id || !changes || !pod->node_name.empty()) return;
  const model::PodRecord& known = core_->cluster().pod(id);
  const bool assumed = known.placed() && known.state != model::PodState::kBound;
  if (!assumed && !known.nominated) return;
  marks_.hit(Mark::kSilentChange);
  silent_changes_.push_back({pod->name, core_->scheduler().decisions().count()});
}

void Server::deliver_some() {
  if (dice_.chance(20)) bind_late();
  answer_some();
  std::vector<std::string> held;
  for (size_t position = 0; position < sent_.size();) {
    const std::string object = sent_[position].object;
    const bool behind = std::find(held.begin(), held.end(), object) != held.end();
    if (behind || (!healed_ && dice_.chance(rates_.late_events))) {
      if (!behind) {
        marks_.hit(Mark::kLateEvent);
        held.push_back(object);
      }
      ++position;
      continue;
    }
    deliver(position);
  }
}

bool Server::deliver_all() {
  const bool answered = answer_all();
  if (sent_.empty()) return answered;
  while (!sent_.empty()) deliver(0);
  return true;
}

void Server::answer_some() {
  for (size_t i = 0; i < unanswered_.size();) {
    if (!answers_.chance(50)) {
      ++i;
      continue;
    }
    if (i != 0) marks_.hit(Mark::kAnswerOvertakes);
    const runtime::BindingAnswer one = std::move(unanswered_[i]);
    unanswered_.erase(unanswered_.begin() + static_cast<long>(i));
    using Kind = binding::BindAnswer::Kind;
    const bool is_bound = one.answer.kind != Kind::kFailed && one.answer.kind != Kind::kConflict;
    if (is_bound && answers_.chance(20)) {
      marks_.hit(Mark::kNoAnswer);
      continue;
    }
    core_->door().answer({&one, 1});
    if (!answers_.chance(20)) continue;
    marks_.hit(Mark::kAnswerTwice);
    core_->door().answer({&one, 1});
  }
}

bool Server::answer_all() {
  const std::vector<runtime::BindingAnswer> all = std::exchange(unanswered_, {});
  if (!all.empty()) core_->door().answer(all);
  return !all.empty();
}

binding::BindAnswer Server::bind(const binding::Binding& one) {
  binding::BindAnswer answer = carry_out(one);
  if (healed_ || one.by_extender || !answers_.chance(rates_.late_answers)) return answer;
  marks_.hit(Mark::kLateAnswer);
  unanswered_.push_back({one.number, std::move(answer)});
  return {binding::BindAnswer::Kind::kUnderWay};
}

binding::BindAnswer Server::carry_out(const binding::Binding& one) {
  using Kind = binding::BindAnswer::Kind;
  const auto at = pods_.find(std::string(one.name));
  if (at == pods_.end()) return {Kind::kFailed, "pod not found"};
  model::Pod& pod = at->second.object;
  const model::PodId id = core_->cluster().find_pod(pod.namespace_name, pod.name);
  if (!id || core_->cluster().text(core_->cluster().pod(id).uid) != pod.uid)
    return {Kind::kConflict, "the pod of this name is another"};
  if (pod.bound()) return {Kind::kConflict, "pod is bound to " + pod.spec.node_name};
  if (!healed_ && dice_.chance(rates_.bind_fails)) {
    marks_.hit(Mark::kBindFails);
    return {Kind::kFailed, "the server is busy"};
  }
  pod.spec.node_name = one.node;
  pod.nominated_node_name.clear();
  send_pod(pod.name);
  if (healed_ || !dice_.chance(rates_.bind_is_lost)) return {};
  marks_.hit(Mark::kBindIsLost);
  return {dice_.chance(50) ? Kind::kLost : Kind::kLostSeen, "transport is closing"};
}

}  // namespace berth::simulation
