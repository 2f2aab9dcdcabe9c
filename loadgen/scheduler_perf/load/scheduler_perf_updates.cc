// updateAny: replaces nodes and pods, at a rate, while timers run beside it.

#include <algorithm>
#include <utility>

#include "loadgen/scheduler_perf/load/scheduler_perf_load.h"

namespace berth::loadgen::scheduler_perf {
namespace {

// The containers get the resources that containers of the same names have in `wanted`.
void take_resources(const std::vector<model::Container>& wanted,
                    std::vector<model::Container>& containers) {
  for (model::Container& container : containers) {
    const auto same = std::ranges::find(wanted, container.name, &model::Container::name);
    if (same == wanted.end()) continue;
    container.requests = same->requests;
    container.limits = same->limits;
  }
}

}  // namespace

// Upstream updates one object at each tick of its clock, the first one after an interval.
void PerfLoad::play(const UpdateAny& objects, LoadStep& step) {
  const int64_t per_second = objects.per_second;
  if (per_second == 0) {
    const int64_t end = std::min(op().count, done_ + int64_t{kMostPerStep});
    while (done_ < end) update_next(objects.resize, step);
  } else if (done_ < op().count) {
    const Nanoseconds due = began_ + (done_ + 1) * kSecond / per_second;
    const Timer* timer = earliest();
    if (timer != nullptr && timer->due <= due) {
      now_ = std::max(now_, timer->due);
      return;
    }
    step.at = now_ = std::max(now_, due);
    update_next(objects.resize, step);
  }
  if (done_ == op().count) advance();
}

// An update replaces the object. Nodes of createNodes lose the hostname label unless the template
// has it, as upstream.
void PerfLoad::update_next(bool resize, LoadStep& step) {
  AnySample sample = op().any(done_++);
  if (auto* pod = std::get_if<PodSample>(&sample)) return update_pod(std::move(*pod), resize, step);
  NodeSample& node = std::get<NodeSample>(sample);
  node.node.name = node.naming.text;
  step.events.push_back(model::modified(std::move(node.node)));
}

void PerfLoad::update_pod(PodSample wanted, bool resize, LoadStep& step) {
  const std::string name = wanted.naming.text;
  Updated pod{std::move(wanted), {}};
  if (resize) {
    const std::vector<model::Container> resources = std::move(pod.sample.pod.spec.containers);
    pod = current(name);
    take_resources(resources, pod.sample.pod.spec.containers);
  }
  // The scheduler chose the node, whatever the template says.
  pod.sample.pod.spec.node_name.clear();
  if (!plan_.volumes) pod.sample.pod.spec.volumes.clear();
  const TemplateNumbers::Template entry =
      template_numbers_.find_or_define(model::PodSpec(pod.sample.pod.spec), step);
  ingest::TemplatePod changed;
  changed.template_id = entry.id;
  changed.spec = entry.spec;
  changed.namespace_name = op().namespace_name;
  changed.name = name;
  changed.labels = pod.own.labels;
  changed.claims = pod.own.claims;
  updated_.insert_or_assign({op().namespace_name, name}, std::move(pod));
  step.events.push_back(model::modified(std::move(changed)));
}

// Throws Error if no operation created the pod.
PerfLoad::Updated PerfLoad::current(const std::string& name) const {
  const auto known = updated_.find({op().namespace_name, name});
  if (known != updated_.end()) return known->second;
  for (const Run& run : runs_) {
    if (run.op->namespace_name != op().namespace_name) continue;
    // Mostly the pod of the same number.
    for (int64_t i = 0; i < run.made; ++i) {
      const int64_t number = (done_ - 1 + i) % run.made;
      PodSample sample = run.op->pod(number);
      if (numbered_name(sample.naming, run.first + static_cast<uint64_t>(number)) == name)
        return {std::move(sample), own_of(*run.op, number)};
    }
  }
  throw Error(op().op->where.place(), "no pod " + op().namespace_name + "/" + name + " to update");
}

}  // namespace berth::loadgen::scheduler_perf
