#include "loadgen/scheduler_perf/load/scheduler_perf_writer.h"

#include <utility>

#include "engine/model/objects/names.h"
#include "loadgen/generate/cluster/nodes.h"

namespace berth::loadgen::scheduler_perf {
namespace {

// The place where names of the operation's budgets are taken.
std::string budgets_of(const PlanOp& op) { return op.namespace_name + "/poddisruptionbudgets"; }

}  // namespace

void ObjectWriter::begin(LoadStep& step) {
  step_ = &step;
  pods_.begin(step);
}

void ObjectWriter::end() { anything_came_ |= !step_->events.empty() || step_->pods.size() > 0; }

void ObjectWriter::add(model::Object object) {
  (anything_came_ ? step_->events : step_->cluster).push_back(model::added(std::move(object)));
}

std::optional<std::string> ObjectWriter::create(const PlanOp& op, AnySample sample) {
  return std::visit([&](auto& one) { return make(op, std::move(one)); }, sample);
}

void ObjectWriter::remove(const PlanOp& op, const AnySample& sample, const std::string& name) {
  std::visit([&](const auto& one) { drop(op, one, name); }, sample);
}

// No scheduler reads such an object.
std::optional<std::string> ObjectWriter::make(const PlanOp&, std::monostate) {
  return std::string();
}
void ObjectWriter::drop(const PlanOp&, std::monostate, const std::string&) {}

std::string ObjectWriter::add_node(NodeSample sample, bool with_hostname) {
  model::Node& node = sample.node;
  node.name = names_.next_node(sample.naming);
  if (with_hostname) set_label(node.labels, model::kHostnameLabel, node.name);
  std::string name = node.name;
  add(std::move(node));
  return name;
}

std::optional<std::string> ObjectWriter::make(const PlanOp&, NodeSample sample) {
  if (!names_.take(sample.naming, kNodes)) return std::nullopt;
  return add_node(std::move(sample), false);
}

void ObjectWriter::drop(const PlanOp&, const NodeSample&, const std::string& name) {
  names_.release(name, kNodes);
  step_->events.push_back(model::deleted_node(name));
}

void ObjectWriter::update_node(NodeSample sample) {
  sample.node.name = sample.naming.text;
  step_->events.push_back(model::modified(std::move(sample.node)));
}

void ObjectWriter::add_namespace(const std::string& name, model::StringMap labels) {
  if (!names_.take_namespace(name)) return;
  set_label(labels, "kubernetes.io/metadata.name", name);
  add(model::Namespace{name, std::move(labels)});
}

std::optional<std::string> ObjectWriter::make(const PlanOp&, model::Namespace space) {
  add_namespace(space.name, std::move(space.labels));
  return std::move(space.name);
}

void ObjectWriter::drop(const PlanOp&, const model::Namespace&, const std::string& name) {
  names_.release_namespace(name);
  step_->events.push_back(model::deleted(model::Namespace{name, {}}));
}

std::optional<std::string> ObjectWriter::make(const PlanOp& op, SelectorOwnerSample sample) {
  std::string name = names_.next_object(sample.naming);
  sample.owner.name = name;
  sample.owner.namespace_name = op.namespace_name;
  add(std::move(sample.owner));
  return name;
}

void ObjectWriter::drop(const PlanOp& op, const SelectorOwnerSample& sample,
                        const std::string& name) {
  step_->events.push_back(
      model::deleted(model::SelectorOwner{sample.owner.kind, name, op.namespace_name, {}}));
}

std::optional<std::string> ObjectWriter::make(const PlanOp& op, DisruptionBudgetSample sample) {
  if (!names_.take(sample.naming, budgets_of(op))) return std::nullopt;
  std::string name = names_.next_object(sample.naming);
  sample.budget.name = name;
  sample.budget.namespace_name = op.namespace_name;
  add(std::move(sample.budget));
  return name;
}

void ObjectWriter::drop(const PlanOp& op, const DisruptionBudgetSample&, const std::string& name) {
  names_.release(name, budgets_of(op));
  model::DisruptionBudget budget;
  budget.name = name;
  budget.namespace_name = op.namespace_name;
  step_->events.push_back(model::deleted(std::move(budget)));
}

std::optional<std::string> ObjectWriter::make(const PlanOp& op, PodSample sample) {
  if (!names_.take(sample.naming, op.namespace_name)) return std::nullopt;
  std::string name = names_.next_pod(sample.naming);
  const std::shared_ptr<const PreparedPod> prepared = templates_.prepare(std::move(sample), *step_);
  add_pod(*prepared, op.namespace_name, name, {}, step_->at);
  return name;
}

void ObjectWriter::drop(const PlanOp& op, const PodSample& sample, const std::string& name) {
  remove_pod(*templates_.prepare(sample, *step_), op.namespace_name, name, {});
}

void ObjectWriter::add_pod(const PreparedPod& pod, const std::string& namespace_name,
                           const std::string& name, const OwnParts& own, Nanoseconds planned) {
  const std::string& node = pod.sample.pod.spec.node_name;
  if (!node.empty()) {
    ingest::TemplatePod placed;
    placed.template_id = pod.entry.id;
    placed.spec = pod.entry.spec;
    placed.namespace_name = namespace_name;
    placed.name = name;
    placed.node_name = node;
    placed.labels = own.labels;
    placed.claims = own.claims;
    step_->events.push_back(model::added(std::move(placed)));
    return;
  }
  ArrivingPod arriving;
  arriving.template_id = pod.entry.id;
  arriving.namespace_name = namespace_name;
  arriving.name = name;
  arriving.labels = own.labels;
  arriving.claims = own.claims;
  arriving.planned = planned;
  pods_.add(arriving);
}

void ObjectWriter::remove_pod(const PreparedPod& pod, const std::string& namespace_name,
                              const std::string& name, OwnParts own) {
  if (!pod.stays) {
    names_.release(name, namespace_name);
    step_->events.push_back(model::deleted_pod(namespace_name, name));
    return;
  }
  ingest::TemplatePod terminating;
  terminating.template_id = pod.entry.id;
  terminating.spec = pod.entry.spec;
  terminating.namespace_name = namespace_name;
  terminating.name = name;
  terminating.labels = std::move(own.labels);
  terminating.claims = std::move(own.claims);
  terminating.terminating = true;
  step_->events.push_back(model::modified(std::move(terminating)));
}

void ObjectWriter::update_pod(const UpdatedPod& pod, const std::string& namespace_name,
                              const std::string& name) {
  const TemplateNumbers::Template entry = templates_.define(pod.sample.pod.spec, *step_);
  ingest::TemplatePod changed;
  changed.template_id = entry.id;
  changed.spec = entry.spec;
  changed.namespace_name = namespace_name;
  changed.name = name;
  changed.labels = pod.own.labels;
  changed.claims = pod.own.claims;
  step_->events.push_back(model::modified(std::move(changed)));
}

}  // namespace berth::loadgen::scheduler_perf
