#include "engine/runtime/intake/intake.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/base/text/number_text.h"
#include "engine/model/cluster/pod_name.h"
#include "engine/runtime/events/assumed_updates.h"

namespace berth::runtime {

Place Origin::place(size_t object, std::string field) const {
  Place place;
  place.file = source_;
  place.field = std::move(field);
  if (object < lines_.size()) {
    place.line = lines_[object];
  } else {
    place.byte = byte_;
  }
  return place;
}

void Intake::report(const std::string& field, std::string message) {
  diagnostics_.report(Error(from_.place(index_, field), std::move(message)));
}

std::string Intake::name_of(const model::PodRecord& pod) const { return full_name(cluster_, pod); }

void Intake::add_objects(const ingest::Objects& objects, std::string_view source) {
  each(objects.others, {source, objects.lines.others}, 0,
       [&](const model::Change& change) { add_object(change.object); });
}

void Intake::add_cluster(const ingest::Objects& objects, std::string_view source) {
  add_objects(objects, source);
  each(objects.pods, {source, objects.lines.pods}, 0,
       [&](const model::Pod& pod) { add_cluster_pod(pod); });
}

// As the list of an informer: what is known already is updated. Pods come after what they may need.
void Intake::add_cluster(std::span<const model::Change> objects, const Origin& from) {
  from_ = from;
  const auto each_of = [&](bool pods, auto take) {
    for (index_ = 0; index_ < objects.size(); ++index_) {
      const model::Object& object = objects[index_].object;
      if (std::holds_alternative<model::TemplatePod>(object) == pods) take(object);
    }
  };
  each_of(false, [&](const model::Object& object) { put_object(object); });
  each_of(true, [&](const model::Object& object) {
    const model::Pod pod = std::get<model::TemplatePod>(object).pod();
    const model::PodId known = known_pod(pod);
    known ? update_known_pod(known, pod) : add_cluster_pod(pod);
  });
}

// The first of a name stays, as within one file.
bool Intake::takes(std::string_view kind, const std::string& name) {
  const Described now{of_work_, from_.place(index_, {}).to_string()};
  const auto [at, first] = described_.try_emplace(std::string(kind) + " " + name, now);
  if (first) return true;
  report(name, "a " + std::string(kind) + " of this name is there already, at " + at->second.place +
                   "; this one is left out");
  return false;
}

// The same, but that work takes the place of what the cluster has.
bool Intake::applies(std::string_view kind, const std::string& name) {
  const auto at = described_.find(std::string(kind) + " " + name);
  if (at == described_.end() || !of_work_ || at->second.work) return takes(kind, name);
  at->second = {true, from_.place(index_, {}).to_string()};
  return true;
}

// The same, but that what the cluster has stays: a manifest lacks what controllers wrote.
bool Intake::adds(std::string_view kind, const std::string& name) {
  const auto at = described_.find(std::string(kind) + " " + name);
  if (at == described_.end() || !of_work_ || at->second.work) return takes(kind, name);
  kept_.add(at->first);
  return false;
}

void Intake::add_object(const model::Object& object) {
  if (std::holds_alternative<model::Node>(object)) return add_cluster_node(object);
  if (const auto* request = std::get_if<model::EvictionRequest>(&object)) return on_put(*request);
  if (std::holds_alternative<model::ControllerObject>(object)) return put_object(object);
  const bool stays = std::holds_alternative<model::DisruptionBudget>(object) ||
                     std::holds_alternative<model::VolumeObject>(object) ||
                     std::holds_alternative<model::PodGroup>(object);
  const std::string_view kind = kind_of(object);
  const std::string name = full_name(object);
  if (stays ? adds(kind, name) : applies(kind, name)) put_object(object);
}

void Intake::put_object(const model::Object& object) {
  std::optional<model::Object> made;
  const model::Object& put = admitted(object, made);
  std::visit([&](const auto& one) { on_put(one); }, put);
  tell(model::Operation::kModified, put);
}

const model::Object& Intake::admitted(const model::Object& object,
                                      std::optional<model::Object>& made) {
  const auto* node = std::get_if<model::Node>(&object);
  if (node == nullptr || observer_ == nullptr || !is_cordoned(*node)) return object;
  model::Node cordoned = *node;
  cordoned.unschedulable = true;
  return made.emplace(std::move(cordoned));
}

bool Intake::is_cordoned(const model::Node& node) try {
  return observer_->is_cordoned(node);
} catch (const Error& error) {
  report(node.name + ": metadata.annotations", error.message());
  return false;
}

void Intake::put(const model::DisruptionBudget& budget) {
  on_put(budget);
  tell(model::Operation::kModified, budget);
}

void Intake::put(const model::VolumeObject& object) {
  const model::VolumeChange change = cluster_.volumes().put(object);
  if (observer_ != nullptr) observer_->storage_changed(change);
}

bool Intake::remove(const model::VolumeObject& object) {
  const auto change = cluster_.volumes().remove(object);
  if (change && observer_ != nullptr) observer_->storage_changed(*change);
  return change.has_value();
}

void Intake::add_cluster_node(const model::Object& object) {
  const auto& node = std::get<model::Node>(object);
  if (of_work_) {
    if (takes(kind_of(node), node.name)) put_object(object);
    return;
  }
  const model::Slot slot = cluster_.nodes().find(cluster_.strings().find(node.name));
  if (slot == model::kNoSlot || !cluster_.nodes().node(slot).present) return put_object(object);
  report(node.name, "a node of this name is there already; this one is left out");
}

void Intake::add_cluster_pod(const model::Pod& pod) {
  if (pod.finished()) {
    ++counts_.finished_in_cluster;
    return;
  }
  if (same_object(pod)) return;  // two files have it
  const model::PodId id = add(cluster_.record_of(pod));
  if (!id) return;
  if (pod.bound()) {
    ++counts_.placed_before;
    return place(id, pod.spec.node_name);
  }
  ++counts_.pending_in_cluster;
  cluster_.nominate(id);
}

void Intake::put_node(const model::Node& node) {
  const model::Slot known = cluster_.nodes().find(cluster_.strings().find(node.name));
  const bool present = known != model::kNoSlot && cluster_.nodes().node(known).present;
  model::NodeTable::Values before;
  const model::Changes changes = cluster_.put_node(node, &before);
  if (observer_ == nullptr) return;
  if (present) return observer_->node_updated(known, changes, before);
  observer_->node_added(cluster_.nodes().find(cluster_.strings().find(node.name)));
}

void Intake::note_times(const model::PodRecord& record) {
  // A stream may tell of any time; a run that began later than this would come to the end of time.
  constexpr int64_t k2200 = 7'258'118'400'000'000'000;
  const int64_t told = std::max(record.created_at, record.started_at.value_or(0));
  latest_time_ = std::max(latest_time_, std::min(told, k2200));
}

model::PodId Intake::add(const model::PodRecord& record) {
  note_times(record);
  const model::PodId known = cluster_.pods().find(record.namespace_name, record.name);
  if (!known) return cluster_.add_pod(record);
  report(name_of(record), cluster_.pod(known).placed()
                              ? "a pod of this name is placed already; this one is left out"
                              : "a pod of this name is there already; this one is left out");
  return {};
}

model::PodId Intake::add_requested(const model::PodRecord& record) {
  note_times(record);
  model::PodId id = cluster_.pods().find(record.namespace_name, record.name);
  if (!id) {
    id = cluster_.add_pod(record);
  } else if (cluster_.pod(id).requested || cluster_.pod(id).placed()) {
    return {};
  } else {
    cluster_.withdraw_nomination(id);
    cluster_.update_pod(id, record);
  }
  cluster_.set_requested(id);
  return id;
}

void Intake::reject_requested(const model::PodRecord& record) {
  ++counts_.rejected;
  Error error(from_.place(index_, name_of(record)),
              "a pod of this name is there already; this one is left out");
  turn_away({.why = TurnedAway::Why::kRejected,
             .namespace_name = cluster_.text(record.namespace_name),
             .name = cluster_.text(record.name),
             .message = error.what()});
  diagnostics_.report(std::move(error));
}

void Intake::turn_away(TurnedAway pod) {
  if (observer_ == nullptr) return;
  pod.position = waiting_->size();
  observer_->turned_away(pod);
}

void Intake::turn_away(TurnedAway::Why why, model::PodId id, std::string_view node) {
  const model::PodRecord& pod = cluster_.pod(id);
  turn_away({.why = why,
             .namespace_name = cluster_.text(pod.namespace_name),
             .name = cluster_.text(pod.name),
             .pod = id,
             .node = node});
}

// A node that does not exist (yet) holds its pods all the same.
void Intake::place(model::PodId id, const std::string& node, const model::PodRecord* before) {
  cluster_.withdraw_nomination(id);
  cluster_.place(id, node);
  cluster_.set_state(id, model::PodState::kBound);
  if (observer_ != nullptr) observer_->pod_assigned(id, before);
}

model::PodId Intake::same_object(const model::Pod& pod) const {
  const model::PodId known = cluster_.find_pod(pod.namespace_name, pod.name);
  if (!known || pod.uid.empty()) return {};
  const model::PodRecord& record = cluster_.pod(known);
  return cluster_.text(record.uid) == pod.uid && record.placed() == pod.bound() ? known
                                                                                : model::PodId();
}

void Intake::add_work_pod(const model::Pod& pod, std::vector<model::PodId>& waiting) {
  ++counts_.work;
  if (pod.finished()) {
    ++counts_.finished;
    return turn_away({.why = TurnedAway::Why::kFinished,
                      .namespace_name = pod.namespace_name,
                      .name = pod.name});
  }
  if (const model::PodId known = pod.bound() ? same_object(pod) : model::PodId()) {
    ++counts_.already_placed;
    return turn_away(TurnedAway::Why::kPlaced, known, pod.spec.node_name);
  }
  const model::PodRecord record = cluster_.record_of(pod);
  const model::PodId id = add_requested(record);
  if (!id) return reject_requested(record);
  if (pod.bound()) {
    ++counts_.already_placed;
    place(id, pod.spec.node_name);
    turn_away(TurnedAway::Why::kPlaced, id, pod.spec.node_name);
  } else if (pod.terminating) {
    ++counts_.terminating;
    cluster_.set_state(id, model::PodState::kTerminating);
    // kube-scheduler drops it at the first try, and its nominator keeps it.
    cluster_.nominate(id);
    cluster_.empty_nomination(id);
    turn_away(TurnedAway::Why::kTerminating, id);
  } else {
    waiting.push_back(id);
  }
}

void Intake::add_work(std::span<const WorkFile> files, std::vector<model::PodId>& waiting) {
  waiting_ = &waiting;
  of_work_ = true;
  for (const WorkFile& file : files) add_objects(file.objects, file.path);
  of_work_ = false;
  for (const WorkFile& file : files)
    each(file.objects.pods, {file.path, file.objects.lines.pods}, 0, [&](const model::Pod& pod) {
      const bool waits = !pod.bound() && !pod.finished();
      file.dump && !waits ? add_cluster_pod(pod) : add_work_pod(pod, waiting);
    });
  size_t others = 0;
  for (const WorkFile& file : files) {
    const ingest::Objects& objects = file.objects;
    if (!objects.pods.empty() || objects.rejected != 0 || objects.expanded != 0) return;
    if (!model::objects_of<model::EvictionRequest>(objects.others).empty()) return;
    others += objects.size();
  }
  if (others == 0) return;
  from_ = files.size() == 1 ? std::string_view(files.front().path) : std::string_view();
  report("", "there is no pod in it, and pods are what is scheduled; it has " +
                 plural(others, "other object"));
}

void Intake::define(const std::vector<model::TemplateDefinition>& templates) {
  for (const model::TemplateDefinition& definition : templates) {
    if (definition.id >= templates_.size()) templates_.resize(definition.id + 1);
    Template& t = templates_[definition.id];
    model::PodTemplates& all = cluster_.templates();
    const Template before = t;
    t.id = all.intern(*definition.spec);
    t.labels = all.label_set(definition.spec->labels);
    all.retain(t.id);
    all.retain_labels(t.labels);
    if (before.spec != nullptr) {
      all.release(before.id);
      all.release_labels(before.labels);
    }
    t.placed = !definition.spec->node_name.empty();
    t.claims = std::ranges::any_of(definition.spec->volumes, &model::PodVolume::is_claim);
    t.spec = definition.spec;
  }
}

void Intake::retire(const std::vector<uint32_t>& ids) {
  for (const uint32_t id : ids) {
    Template& t = templates_[id];
    cluster_.templates().release(t.id);
    cluster_.templates().release_labels(t.labels);
    t = {};
  }
}

void Intake::apply(const model::Change& change, const Origin& from,
                   std::vector<model::PodId>& waiting, size_t index) {
  ++counts_.events;
  from_ = from;
  index_ = index;
  waiting_ = &waiting;
  const bool deleted = change.operation == model::Operation::kDeleted;
  std::optional<model::Object> made;
  const model::Object& now = deleted ? change.object : admitted(change.object, made);
  std::visit([&](const auto& object) { deleted ? on_deleted(object) : on_put(object); }, now);
  if (!std::holds_alternative<model::TemplatePod>(now)) tell(change.operation, now);
}

void Intake::on_put(const model::TemplatePod& pod) {
  if (!pod.finished()) return put_pod(pod.pod());
  if (const model::PodId id = cluster_.find_pod(pod.namespace_name, pod.name))
    finish(id, pod.phase);
}

// What is not known is gone already.
void Intake::on_deleted(const model::Node& node) {
  const model::Slot slot = slot_of(node.name);
  // The name of a node that is gone may be known for a while, which must make no difference.
  const bool present = slot != model::kNoSlot && cluster_.nodes().node(slot).present;
  if (present && observer_ != nullptr) observer_->node_leaves(slot);
  cluster_.remove_node(node.name);
}

void Intake::on_deleted(const model::SelectorOwner& owner) {
  cluster_.remove_selector_owner(owner.kind, owner.namespace_name, owner.name);
}

void Intake::on_deleted(const model::PodGroup& group) {
  cluster_.remove_pod_group(group.namespace_name, group.name);
}

void Intake::on_deleted(const model::DisruptionBudget& budget) {
  cluster_.remove_budget(budget.namespace_name, budget.name);
}

void Intake::refuse(const model::EvictionRequest& request) {
  report(full_name(request),
         "nobody answers evictions here: the pod stays; delete it, or leave the Eviction out");
}

model::PodId Intake::known_pod(const model::Pod& pod) {
  const model::PodId known = cluster_.find_pod(pod.namespace_name, pod.name);
  if (!known || pod.uid.empty()) return known;
  const std::string_view uid = cluster_.text(cluster_.pod(known).uid);
  if (uid.empty() || uid == pod.uid) return known;
  remove(known);  // of which the deletion was missed
  return {};
}

void Intake::put_pod(const model::Pod& pod) {
  if (const model::PodId known = known_pod(pod)) return update_known_pod(known, pod);
  if (pod.finished()) return;
  if (!pod.bound()) return add_work_pod(pod, *waiting_);
  const model::PodRecord record = cluster_.record_of(pod);
  note_times(record);
  place(cluster_.add_pod(record), pod.spec.node_name);
}

void Intake::update_known_pod(model::PodId id, const model::Pod& pod) {
  if (pod.finished()) return finish(id, pod.phase);
  const model::PodRecord object = cluster_.record_of(pod);
  note_times(object);
  const bool bound = cluster_.pod(id).state == model::PodState::kBound;
  if (pod.bound() && !bound) return place_known_pod(id, pod, object);
  if (AssumedUpdates::applies_to(cluster_.pod(id))) {
    BERTH_ASSERT(observer_ != nullptr);
    return observer_->assumed_updated(id, object);
  }
  const model::PodRecord before = cluster_.pod(id);
  cluster_.update_pod(id, object);
  if (pod.bound() && before.slot != slot_of(pod.spec.node_name))
    return move(id, pod.spec.node_name, before);
  if (observer_ == nullptr) return;
  bound ? observer_->assigned_updated(id, before) : observer_->pending_updated(id, before);
}

// The binding of the pod may be under way here, to that node or another.
void Intake::place_known_pod(model::PodId id, const model::Pod& pod,
                             const model::PodRecord& object) {
  model::PodRecord placed = object;
  placed.slot = slot_of(pod.spec.node_name);
  leave(id, &placed);
  const model::PodRecord before = cluster_.pod(id);
  if (before.placed() && before.slot == placed.slot) return;
  cluster_.update_pod(id, object);
  before.placed() ? move(id, pod.spec.node_name, before) : place(id, pod.spec.node_name, &before);
}

// The pod is bound where the event says, whatever was known before.
void Intake::move(model::PodId id, const std::string& node, const model::PodRecord& before) {
  report(name_of(before), "the pod runs on node \"" + node + "\", and was known on another");
  if (observer_ != nullptr) observer_->pod_moves(before);
  cluster_.unplace(id);
  if (observer_ != nullptr) observer_->assigned_left(before);
  cluster_.place(id, node);
  if (observer_ != nullptr) observer_->pod_assigned(id, nullptr);
}

void Intake::remove_pod(const std::string& namespace_name, const std::string& name) {
  if (const model::PodId id = cluster_.find_pod(namespace_name, name)) remove(id);
}

void Intake::finish(model::PodId id, model::PodPhase phase) {
  if (observer_ != nullptr)
    observer_->pod_finishes(id, {.succeeded = phase == model::PodPhase::kSucceeded});
  remove(id);
}

void Intake::create(std::span<const model::Pod> pods, std::vector<model::PodId>& created) {
  from_ = "pods of controllers";
  index_ = 0;
  waiting_ = &created;
  for (const model::Pod& pod : pods) add_work_pod(pod, created);
}

void Intake::remove(model::PodId id) {
  leave(id, nullptr);
  if (observer_ != nullptr) observer_->pod_ends(id);
  const model::PodRecord before = cluster_.pod(id);
  cluster_.remove_pod(id);
  if (observer_ == nullptr) return;
  if (before.placed()) return observer_->assigned_left(before);
  observer_->pending_left(before);
}

}  // namespace berth::runtime
