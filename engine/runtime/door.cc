#include "engine/runtime/door.h"

#include <utility>

#include "engine/runtime/kept_objects.h"

namespace berth::runtime {

Door::Door(const Means& means, Retirement retirement)
    : cluster_(means.cluster),
      scheduler_(means.scheduler),
      actors_(means.actors),
      objects_(means.objects),
      audits_(means.audits),
      report_(means.report),
      retirement_(retirement),
      intake_(means.cluster, means.diagnostics, this) {}

void Door::collect() {
  if (audits_.outermost()) retirement_.collect();
}

void Door::apply(const ingest::Objects& cluster, std::string_view source) {
  const ClusterEvents::Change coming(scheduler_.events());
  intake_.add_cluster(cluster, source);
}

void Door::apply(std::span<const model::Change> cluster, const Origin& from) {
  const ClusterEvents::Change coming(scheduler_.events());
  intake_.add_cluster(cluster, from);
}

void Door::apply(const std::vector<model::TemplateDefinition>& templates) {
  intake_.define(templates);
}

void Door::retire_templates(const std::vector<uint32_t>& ids) { intake_.retire(ids); }

void Door::apply(const model::Change& change, const Origin& from, size_t index) {
  const Audits::Call call(audits_);
  const ClusterEvents::Change coming(scheduler_.events());
  collect();
  waiting_.clear();
  intake_.apply(change, from, waiting_, index);
  if (!waiting_.empty()) enqueue(waiting_);
  scheduler_.bindings().continue_released();
  audits_.audit();
}

void Door::apply_work(std::span<const WorkFile> files) {
  const Audits::Call call(audits_);
  collect();
  waiting_.clear();
  const ClusterEvents::Change coming(scheduler_.events());
  intake_.add_work(files, waiting_);
  arrive(waiting_);
}

void Door::apply_work(const model::PodBatch& pods, const Origin& from) {
  const Audits::Call call(audits_);
  collect();
  waiting_.clear();
  const ClusterEvents::Change coming(scheduler_.events());
  intake_.add_work(pods, from, waiting_);
  arrive(waiting_);
}

std::vector<model::PodId> Door::add(const model::PodBatch& pods, const Origin& from) {
  const Audits::Call call(audits_);
  collect();
  std::vector<model::PodId> waiting;
  intake_.add_work(pods, from, waiting);
  return waiting;
}

void Door::arrive(std::span<const model::PodId> pods) {
  const Audits::Call call(audits_);
  const ClusterEvents::Change coming(scheduler_.events());
  enqueue(pods);
  audits_.audit();
}

void Door::create(std::span<const model::Pod> pods) {
  const Audits::Call call(audits_);
  std::vector<model::PodId> created;
  intake_.create(pods, created);
  arrive(created);
}

void Door::enqueue(std::span<const model::PodId> pods) {
  scheduler_.enqueue(pods);
  scheduler_.events().pods_queued(pods.size());
  if (!actors_.hear()) return;
  for (const model::PodId pod : pods) actors_.pod_changed(pod);
}

void Door::remove(model::PodId pod) {
  const Audits::Call call(audits_);
  const ClusterEvents::Change coming(scheduler_.events());
  intake_.remove(pod);
  audits_.audit();
}

void Door::update(model::PodId pod, const model::PodRecord& after) {
  const Audits::Call call(audits_);
  const ClusterEvents::Change coming(scheduler_.events());
  const model::PodRecord before = cluster_.pod(pod);
  if (AssumedUpdates::applies_to(before)) {
    assumed_updated(pod, after);
  } else {
    cluster_.update_pod(pod, after);
    before.state == model::PodState::kBound ? assigned_updated(pod, before)
                                            : pending_updated(pod, before);
  }
  audits_.audit();
}

void Door::put_taints(model::Slot node, const std::vector<model::Taint>& taints) {
  const Audits::Call call(audits_);
  const ClusterEvents::Change coming(scheduler_.events());
  model::NodeTable::Values before;
  const model::Changes changes = cluster_.put_taints(node, taints, &before);
  if (changes != 0) node_updated(node, changes, before);
  audits_.audit();
}

void Door::nominated(model::PodId pod, std::string_view node) {
  model::PodRecord after = latest(pod);
  const model::StringId named = node.empty() ? 0 : cluster_.strings().intern_counted(node);
  if (after.nominated_node == named) return;
  after.nominated_node = named;
  update(pod, after);
}

bool Door::reads_whole() const { return objects_.are_read(); }

void Door::keep(std::span<const ingest::WholeObject> objects) { objects_.keep(objects); }

size_t Door::answer(std::span<const BindingAnswer> answers) {
  const Audits::Call call(audits_);
  const size_t unknown = scheduler_.bindings().answer(answers);
  audits_.audit();
  return unknown;
}

void Door::activate(model::PodId pod) {
  const Audits::Call call(audits_);
  scheduler_.activate(pod);
  audits_.audit();
}

bool Door::allow(model::PodId pod, const std::string& plugin) {
  const Audits::Call call(audits_);
  const bool counts = scheduler_.bindings().permits().allow(pod, plugin);
  scheduler_.bindings().continue_released();
  audits_.audit();
  return counts;
}

bool Door::reject(model::PodId pod, const std::string& plugin, std::string message) {
  const Audits::Call call(audits_);
  const bool counts = scheduler_.bindings().permits().reject(pod, plugin, std::move(message));
  scheduler_.bindings().continue_released();
  audits_.audit();
  return counts;
}

void Door::node_added(model::Slot slot) {
  scheduler_.events().node_added(slot);
  actors_.node_changed(slot);
}

void Door::node_updated(model::Slot slot, model::Changes changes,
                        const model::NodeTable::Values& before) {
  scheduler_.events().node_updated(slot, changes, before);
  actors_.node_changed(slot);
}

void Door::node_leaves(model::Slot slot) {
  scheduler_.bindings().release_node(slot);
  scheduler_.bound_pods().node_leaves(slot);
  scheduler_.events().node_leaves(slot);
}

void Door::pod_leaves(model::PodId pod, const model::PodRecord* placed) {
  scheduler_.release(pod, placed);
}

void Door::pod_ends(model::PodId pod) {
  if (scheduler_.bindings().is_told(pod)) scheduler_.bound_pods().leaves(cluster_.pod(pod));
  actors_.pod_ends(pod);
  report_(Deleted{pod});
}

void Door::pod_assigned(model::PodId pod, const model::PodRecord* before) {
  if (before != nullptr && before->requested && scheduler_.policy().profile_of(*before))
    report_(BoundByAnother{pod, cluster_.nodes().name(cluster_.pod(pod).slot)});
  if (scheduler_.bindings().is_told(pod)) scheduler_.bound_pods().bound(pod);
  scheduler_.events().assigned_added(pod);
  if (before != nullptr) scheduler_.events().nomination_ends_by_binding(*before);
}

void Door::pod_moves(const model::PodRecord& before) {
  if (scheduler_.bindings().is_told(before.id)) scheduler_.bound_pods().leaves(before);
}

void Door::assigned_updated(model::PodId pod, const model::PodRecord& before) {
  if (scheduler_.bindings().is_told(pod)) scheduler_.bound_pods().changed(pod);
  scheduler_.events().assigned_updated(pod, before);
}

void Door::pending_updated(model::PodId pod, const model::PodRecord& before) {
  scheduler_.pending_updated(pod, before);
}

void Door::assumed_updated(model::PodId pod, const model::PodRecord& object) {
  const bool terminates = object.terminating && !latest(pod).terminating;
  scheduler_.updates().keep(pod, object);
  if (terminates) scheduler_.bindings().terminates(pod);
}

void Door::assigned_left(const model::PodRecord& before) {
  scheduler_.events().assigned_left(before);
}

void Door::pending_left(const model::PodRecord& before) {
  scheduler_.events().pending_left(before);
}

void Door::storage_changed(const model::VolumeChange& change) {
  actors_.storage_changed(change);
  scheduler_.events().storage_changed(change);
}

}  // namespace berth::runtime
