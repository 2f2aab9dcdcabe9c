#include "loadgen/generate/scene.h"

#include <algorithm>
#include <utility>

#include "loadgen/generate/draws/draws.h"

namespace berth::loadgen {
namespace {

constexpr uint64_t kObjectsPerStep = 1024;

}  // namespace

Scene::Scene(GeneratedCluster& cluster, PodWriter& writer, const DaemonSets& daemon_sets,
             PodTasks& tasks)
    : cluster_(cluster),
      writer_(writer),
      daemon_sets_(daemon_sets),
      tasks_(tasks),
      placed_(cluster) {}

bool Scene::next(LoadStep& step) {
  while (phase_ != Phase::kOver) {
    if (fill(step)) return true;
    phase_ = static_cast<Phase>(static_cast<int>(phase_) + 1);
    cursor_ = 0;
  }
  return false;
}

// False: the phase is over.
bool Scene::fill(LoadStep& step) {
  switch (phase_) {
    case Phase::kNamespaces:
      return fill_namespaces(step);
    case Phase::kSelectorOwners:
      return fill_selector_owners(step);
    case Phase::kStorage:
      return fill_storage(step);
    case Phase::kNodes:
      return fill_nodes(step);
    case Phase::kPlaced:
      return fill_placed(step);
    case Phase::kOwners:
      return fill_owners(step);
    case Phase::kOver:
      break;
  }
  return false;
}

bool Scene::fill_namespaces(LoadStep& step) {
  const Namespaces& namespaces = cluster_.namespaces;
  for (; cursor_ < namespaces.count() && step.cluster.size() < kObjectsPerStep; ++cursor_)
    step.cluster.push_back(model::added(namespaces.now(cursor_)));
  return !step.cluster.empty();
}

bool Scene::fill_selector_owners(LoadStep& step) {
  const Owners& owners = cluster_.owners;
  for (; cursor_ < owners.count() && step.cluster.size() < kObjectsPerStep; ++cursor_) {
    const auto owner = static_cast<uint32_t>(cursor_);
    const OwnerSpec& of = owners.spec(owner);
    if (of.manifest) continue;
    const model::PodSpec& spec = cluster_.spec.templates[of.pod_template].spec;
    for (model::SelectorOwner& selector_owner :
         selector_owners_of(owners.identity(owner), spec, of.service))
      step.cluster.push_back(model::added(std::move(selector_owner)));
  }
  return !step.cluster.empty();
}

bool Scene::fill_storage(LoadStep& step) {
  const WorkloadSpec& spec = cluster_.spec;
  if (cursor_ != 0 || (!spec.storage && spec.kubelets.empty())) return false;
  ++cursor_;
  for (const model::ControllerObject& kubelet : spec.kubelets)
    step.cluster.push_back(model::added(kubelet));
  if (!spec.storage) return true;
  for (model::VolumeObject& object : cluster_.claims.classes())
    step.cluster.push_back(model::added(std::move(object)));
  return true;
}

bool Scene::fill_nodes(LoadStep& step) {
  const uint64_t end = std::min(cluster_.nodes.count(), cursor_ + kObjectsPerStep);
  if (cluster_.spec.storage)
    for (uint64_t i = cursor_; i < end; ++i)
      step.cluster.push_back(model::added(cluster_.claims.csi_node(NodeMaker::name(i))));
  for (; cursor_ < end; ++cursor_) {
    step.cluster.push_back(model::added(cluster_.nodes.first(cursor_)));
    if (auto system = cluster_.nodes.system(cursor_))
      step.cluster.push_back(model::added(*std::move(system)));
  }
  return !step.cluster.empty();
}

bool Scene::fill_placed(LoadStep& step) {
  if (cluster_.spec.placed.empty()) return false;
  const uint64_t before = placed_.count();
  for (; cursor_ < cluster_.nodes.count() && placed_.count() - before < kPodsPerStep; ++cursor_)
    placed_.add(cursor_, step);
  return placed_.count() != before;
}

bool Scene::fill_owners(LoadStep& step) {
  writer_.begin(step);
  while (tasks_.run(step) && cursor_ < cluster_.owners.count() &&
         step.events.size() < kObjectsPerStep)
    begin_owner(static_cast<uint32_t>(cursor_++), step);
  return writer_.size() != 0 || !step.events.empty();
}

void Scene::begin_owner(uint32_t owner, LoadStep& step) {
  const OwnerSpec& spec = cluster_.owners.spec(owner);
  if (spec.manifest) return step.events.push_back(model::added(cluster_.owners.manifest(owner)));
  if (spec.kind == OwnerKind::kDaemonSet) {
    tasks_.add_daemons(daemon_sets_.index_of(owner), cluster_.nodes.count(), spec.measured);
  } else {
    const int64_t pods = spec.replicas.draw(drawn(cluster_.seed, For::kReplicas, owner, 0));
    tasks_.add_replicas(owner, static_cast<uint64_t>(pods), spec.measured);
  }
}

}  // namespace berth::loadgen
