#include "loadgen/import/cluster_load.h"

#include <utility>

namespace berth::loadgen {
namespace {

// The kubelet of a node runs static pods without a scheduler.
bool is_static(const model::Pod& pod) { return pod.controller && pod.controller->kind == "Node"; }

}  // namespace

ClusterLoad::ClusterLoad(ClusterCopies cluster, uint64_t copies, bool reschedule, std::string note)
    : cluster_(std::move(cluster)),
      copies_(copies),
      reschedule_(reschedule),
      note_(std::move(note)) {}

bool ClusterLoad::is_work(const model::Pod& pod) const {
  if (pod.finished() || pod.terminating) return false;
  return !pod.bound() || (reschedule_ && !is_static(pod));
}

bool ClusterLoad::is_placed(const model::Pod& pod) const {
  return !pod.finished() && pod.bound() && !is_work(pod);
}

size_t ClusterLoad::objects_of_phase() const {
  switch (phase_) {
    case Phase::kNamespaces:
      return cluster_.namespaces();
    case Phase::kSelectorOwners:
      return cluster_.selector_owners();
    case Phase::kBudgets:
      return cluster_.budgets();
    case Phase::kStorage:
      return cluster_.storage();
    case Phase::kGroups:
      return cluster_.groups();
    case Phase::kNodes:
      return cluster_.nodes();
    default:
      return cluster_.pods();
  }
}

// Each step has objects of one phase.
bool ClusterLoad::next(LoadStep& step) {
  step.clear();
  pods_.begin(step);
  size_t added = 0;
  while (phase_ != Phase::kOver) {
    if (index_ == objects_of_phase()) {
      index_ = 0;
      if (++copy_ < copies_) continue;
      copy_ = 0;
      phase_ = static_cast<Phase>(static_cast<int>(phase_) + 1);
      if (added > 0) break;
      continue;
    }
    if (added == kMostPerStep) break;
    if (phase_ == Phase::kStorage && copy_ > 0 && cluster_.is_shared(index_)) {
      ++index_;
      continue;
    }
    const bool pod = phase_ == Phase::kPlaced || phase_ == Phase::kWork;
    if (pod) {
      const model::Pod& original = cluster_.objects().pods[index_];
      if (!(phase_ == Phase::kWork ? is_work(original) : is_placed(original))) {
        ++index_;
        continue;
      }
    }
    if (phase_ == Phase::kWork) {
      add_work(cluster_.pod(index_, copy_), step);
    } else {
      step.cluster.push_back(model::added(object(step)));
    }
    ++index_;
    ++added;
  }
  step.measured = step.pods.size() > 0;
  return added > 0;
}

model::Object ClusterLoad::object(LoadStep& step) {
  switch (phase_) {
    case Phase::kNamespaces:
      return cluster_.namespace_object(index_, copy_);
    case Phase::kSelectorOwners:
      return cluster_.selector_owner(index_, copy_);
    case Phase::kBudgets:
      return cluster_.budget(index_, copy_);
    case Phase::kStorage:
      return cluster_.storage(index_, copy_);
    case Phase::kGroups:
      return cluster_.group(index_, copy_);
    case Phase::kNodes:
      return cluster_.node(index_, copy_);
    default:
      return placed(cluster_.pod(index_, copy_), step);
  }
}

// Labels are stored beside the template, because otherwise every pod of a StatefulSet would need
// its own.
ingest::TemplatePod ClusterLoad::placed(const model::Pod& pod, LoadStep& step) {
  ingest::TemplatePod placed;
  model::PodSpec spec = pod.spec;
  placed.labels = std::exchange(spec.labels, {});
  placed.node_name = std::exchange(spec.node_name, {});
  const TemplateNumbers::Template entry = template_numbers_.find_or_define(std::move(spec), step);
  placed.template_id = entry.id;
  placed.spec = entry.spec;
  placed.namespace_name = pod.namespace_name;
  placed.name = pod.name;
  placed.uid = pod.uid;
  placed.controller = pod.controller;
  placed.phase = pod.phase;
  placed.terminating = pod.terminating;
  return placed;
}

// Adds the pod as it was before a scheduler and a kubelet changed it.
void ClusterLoad::add_work(const model::Pod& pod, LoadStep& step) {
  model::PodSpec spec = pod.spec;
  const model::StringMap labels = std::exchange(spec.labels, {});
  if (pod.bound()) {
    spec.node_name.clear();
    spec.container_statuses.clear();
    spec.resize_infeasible = false;
    spec.own_status = {};
  }
  ArrivingPod arriving;
  arriving.template_id = template_numbers_.find_or_define(std::move(spec), step).id;
  arriving.namespace_name = pod.namespace_name;
  arriving.name = pod.name;
  arriving.uid = pod.uid;
  arriving.nominated_node = pod.nominated_node_name;
  arriving.labels = labels;
  arriving.controller = pod.controller ? &*pod.controller : nullptr;
  pods_.add(arriving);
}

}  // namespace berth::loadgen
