#include "loadgen/scheduler_perf/load/scheduler_perf_pods.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "engine/model/objects/pod_requests.h"
#include "loadgen/scheduler_perf/plan/scheduler_perf_refusals.h"

namespace berth::loadgen::scheduler_perf {

OwnParts own_parts(const PlanOp& op, int64_t pod) {
  OwnParts own;
  if (op.signature_batch != 0)
    own.labels = {{"signature", fmt::format("signature-label-{}", pod / op.signature_batch)}};
  if (op.own_volume) own.claims = {claim_name(pod)};
  return own;
}

std::string PodRun::name(const Naming& naming, int64_t pod) const {
  return numbered_name(naming, first + static_cast<uint64_t>(pod));
}

PodTemplates::PodTemplates(const Plan& plan) : volumes_(plan.volumes) {
  for (const PlanOp& op : plan.ops) {
    if (std::holds_alternative<CreateNodes>(op.op->action))
      for (const int64_t i : op.kinds()) shapes_.push_back(op.node(i).node);
    if (!std::holds_alternative<CreateAny>(op.op->action)) continue;
    for (const int64_t i : op.kinds())
      if (const AnySample sample = op.any(i); std::holds_alternative<NodeSample>(sample))
        shapes_.push_back(std::get<NodeSample>(sample).node);
  }
}

bool PodTemplates::fits_any_node(const model::PodSpec& pod) const {
  const model::ResourceList requests = model::pod_requests(pod).requests;
  return std::ranges::any_of(
      shapes_, [&](const model::Node& node) { return fits_empty_node(requests, node); });
}

// The API server gives running pods their grace period, and no kubelet ends it.
std::shared_ptr<const PreparedPod> PodTemplates::prepare(PodSample sample, LoadStep& step) {
  auto prepared = std::make_shared<PreparedPod>();
  const model::PodSpec& spec = sample.pod.spec;
  const bool runs = spec.scheduling_gates.empty() && fits_any_node(spec);
  prepared->stays = sample.has_finalizers || (runs && !sample.dies_at_once);
  prepared->entry = define(spec, step);
  prepared->sample = std::move(sample);
  return prepared;
}

std::shared_ptr<const PreparedPod> PodTemplates::prepare(PodRun& run, int64_t pod, LoadStep& step) {
  if (run.prepared) return run.prepared;
  std::shared_ptr<const PreparedPod> prepared = prepare(run.op->pod(pod), step);
  if (!run.op->object || !run.op->object->varies()) run.prepared = prepared;
  return prepared;
}

TemplateNumbers::Template PodTemplates::define(model::PodSpec spec, LoadStep& step) {
  spec.node_name.clear();  // the scheduler chooses it, whatever the template says
  if (!volumes_) spec.volumes.clear();
  return numbers_.find_or_define(std::move(spec), step);
}

std::vector<CreatedPods::Extent> CreatedPods::in_namespace(const std::string& name) const {
  std::vector<Extent> found;
  for (size_t i = 0; i < runs_.size(); ++i)
    if (runs_[i].op->namespace_name == name) found.emplace_back(i, runs_[i].made);
  return found;
}

UpdatedPod CreatedPods::current(const PlanOp& op, const std::string& name, int64_t guess) const {
  const auto known = updated_.find({op.namespace_name, name});
  if (known != updated_.end()) return known->second;
  for (const PodRun& run : runs_) {
    if (run.op->namespace_name != op.namespace_name) continue;
    for (int64_t i = 0; i < run.made; ++i) {
      const int64_t pod = (guess + i) % run.made;
      PodSample sample = run.op->pod(pod);
      if (run.name(sample.naming, pod) == name) return {std::move(sample), own_parts(*run.op, pod)};
    }
  }
  throw Error(op.op->where.place(), "no pod " + op.namespace_name + "/" + name + " to update");
}

void CreatedPods::update(const std::string& namespace_name, const std::string& name,
                         UpdatedPod pod) {
  updated_.insert_or_assign({namespace_name, name}, std::move(pod));
}

}  // namespace berth::loadgen::scheduler_perf
