#include "engine/cli/intake.h"

#include <map>

namespace berth::cli {

Place Origin::place(size_t object, std::string field) const {
  Place place;
  place.file = file_;
  place.field = std::move(field);
  if (object < lines_.size()) {
    place.line = lines_[object];
  } else {
    place.byte = byte_;
  }
  return place;
}

void Intake::report(const Origin& from, size_t index, const std::string& field,
                    std::string message) {
  diagnostics_.report(Error(from.place(index, field), std::move(message)));
}

void Intake::add_cluster(const ingest::Objects& objects, std::string_view file) {
  const ingest::Objects::Lines& lines = objects.lines;
  const Origin namespaces(file, lines.namespaces), owners(file, lines.selector_owners);
  const Origin nodes(file, lines.nodes), pods(file, lines.pods);
  size_t i = 0;
  for (const model::Namespace& object : objects.namespaces) add_namespace(object, namespaces, i++);
  i = 0;
  for (const model::SelectorOwner& owner : objects.selector_owners)
    add_selector_owner(owner, owners, i++);
  i = 0;
  for (const model::Node& node : objects.nodes) add_cluster_node(node, nodes, i++);
  i = 0;
  for (const model::Pod& pod : objects.pods) add_cluster_pod(pod, pods, i++);
}

void Intake::add_cluster(const ingest::ClusterPart& part, const Origin& from) {
  const size_t namespaces = part.nodes.size();
  const size_t pods = namespaces + part.namespaces.size();
  const size_t owners = pods + part.pods.size();
  size_t i = namespaces;
  for (const model::Namespace& object : part.namespaces) add_namespace(object, from, i++);
  i = owners;
  for (const model::SelectorOwner& owner : part.selector_owners)
    add_selector_owner(owner, from, i++);
  i = 0;
  for (const model::Node& node : part.nodes) add_cluster_node(node, from, i++);
  i = pods;
  for (const ingest::TemplatePod& pod : part.pods) add_cluster_pod(pod.pod(), from, i++);
}

// The first of a name stays, as within one file.
void Intake::add_namespace(const model::Namespace& object, const Origin& from, size_t index) {
  if (described_.insert("Namespace " + object.name).second) return cluster_.put_namespace(object);
  report(from, index, object.name,
         "a namespace of this name is there already; this one is left out");
}

void Intake::add_selector_owner(const model::SelectorOwner& object, const Origin& from,
                                size_t index) {
  const std::string kind(ingest::selector_owner_kind_name(object.kind));
  const std::string name = object.namespace_name + "/" + object.name;
  if (described_.insert(kind + " " + name).second) return cluster_.put_selector_owner(object);
  report(from, index, name, "a " + kind + " of this name is there already; this one is left out");
}

void Intake::add_cluster_node(const model::Node& node, const Origin& from, size_t index) {
  const model::Slot slot = cluster_.nodes().find(cluster_.strings().find(node.name));
  if (slot == model::NodeTable::kNoSlot || !cluster_.nodes().node(slot).present)
    return cluster_.put_node(node);
  report(from, index, node.name, "a node of this name is there already; this one is left out");
}

void Intake::add_cluster_pod(const model::Pod& pod, const Origin& from, size_t index) {
  if (pod.finished()) {
    ++counts_.finished_in_cluster;
    return;
  }
  if (pod.bound()) {
    counts_.placed_before += place(cluster_.refer(pod), pod.spec.node_name, from, index);
    return;
  }
  ++counts_.pending_in_cluster;
  cluster_.nominate(cluster_.refer(pod));
}

std::string Intake::name_of(const model::PodRecord& pod) const {
  return std::string(cluster_.text(pod.namespace_name)) + "/" +
         std::string(cluster_.text(pod.name));
}

// Counts where it says. A node that is not there (yet) keeps it in mind. False: there is a pod of
// that name already.
bool Intake::place(const model::PodRecord& pod, const std::string& node, const Origin& from,
                   size_t index) {
  model::Slot slot = cluster_.nodes().find(cluster_.strings().intern(node));
  if (slot == model::NodeTable::kNoSlot || !cluster_.nodes().node(slot).present)
    report(from, index, name_of(pod),
           "the pod runs on node \"" + node +
               "\", which is not among the nodes; it counts there if the node comes later");
  if (cluster_.place(pod, node)) return true;
  report(from, index, name_of(pod), "a pod of this name is placed already; this one is left out");
  return false;
}

bool Intake::take_name(const model::PodRecord& pod, const Origin& from, size_t index) {
  uint64_t key = uint64_t{pod.namespace_name} << 32 | pod.name;
  if (!cluster_.is_placed(pod.namespace_name, pod.name) && names_.insert(key).second) return true;
  ++counts_.rejected;
  report(from, index, name_of(pod), "a pod of this name is there already; this one is left out");
  return false;
}

void Intake::add_work_pod(const model::Pod& pod, const Origin& from, size_t index,
                          std::vector<model::PodRecord>& waiting) {
  ++counts_.work;
  if (pod.finished()) {
    ++counts_.finished;
    return;
  }
  model::PodRecord ref = cluster_.refer(pod);
  if (!take_name(ref, from, index)) return;
  if (pod.bound()) {
    ++counts_.already_placed;
    place(ref, pod.spec.node_name, from, index);
  } else if (pod.terminating) {
    ++counts_.terminating;
  } else {
    waiting.push_back(ref);
  }
}

void Intake::add_work(const ingest::Objects& objects, std::string_view file,
                      std::vector<model::PodRecord>& waiting) {
  counts_.passed_over += objects.nodes.size() + objects.namespaces.size();
  const Origin owners(file, objects.lines.selector_owners), pods(file, objects.lines.pods);
  size_t i = 0;
  for (const model::SelectorOwner& owner : objects.selector_owners)
    add_selector_owner(owner, owners, i++);
  i = 0;
  for (const model::Pod& pod : objects.pods) add_work_pod(pod, pods, i++, waiting);
  if (objects.pods.empty() && objects.rejected == 0 && objects.size() != 0)
    report(file, 0, "",
           "there is no pod in it, and pods are what is scheduled; it has " +
               std::to_string(objects.size()) + " other objects");
}

void Intake::define(const std::vector<ingest::TemplateDefinition>& templates) {
  for (const ingest::TemplateDefinition& definition : templates) {
    if (definition.id >= templates_.size()) templates_.resize(definition.id + 1);
    Template& t = templates_[definition.id];
    t.id = cluster_.templates().intern(*definition.spec);
    t.labels = cluster_.templates().label_set(definition.spec->labels);
    t.placed = !definition.spec->node_name.empty();
    t.spec = definition.spec;
  }
}

// The template's labels with the pod's own over them.
model::LabelSetId Intake::labels_of(const Template& t, const ingest::PodBatch& pods, size_t pod) {
  if (pods.label_ends.empty()) return t.labels;
  size_t begin = pod == 0 ? 0 : pods.label_ends[pod - 1];
  size_t end = pods.label_ends[pod];
  if (begin == end) return t.labels;
  std::map<std::string, std::string> merged(t.spec->labels.begin(), t.spec->labels.end());
  for (size_t i = begin; i < end; ++i)
    merged[std::string(pods.labels[i].first)] = std::string(pods.labels[i].second);
  return cluster_.templates().label_set(model::StringMap(merged.begin(), merged.end()));
}

void Intake::add_work(const ingest::PodBatch& pods, const Origin& from,
                      std::vector<model::PodRecord>& waiting) {
  counts_.work += pods.size();
  std::vector<model::StringId> namespaces;
  for (std::string_view name : pods.namespaces)
    namespaces.push_back(cluster_.strings().intern(name));
  std::vector<model::ControllerId> controllers;
  for (const model::Controller& controller : pods.controllers)
    controllers.push_back(cluster_.templates().controller(controller));
  for (size_t i = 0; i < pods.size(); ++i) {
    const Template& t = templates_[pods.template_ids[i]];
    model::PodRecord ref;
    ref.pod_template = t.id;
    ref.labels = labels_of(t, pods, i);
    ref.namespace_name = namespaces[pods.namespace_indices[i]];
    ref.name = cluster_.strings().intern(pods.names[i]);
    if (!pods.uids.empty()) ref.uid = cluster_.strings().intern(pods.uids[i]);
    if (!pods.nominated_nodes.empty() && !pods.nominated_nodes[i].empty())
      ref.nominated_node = cluster_.strings().intern(pods.nominated_nodes[i]);
    if (!pods.controller_indices.empty() && pods.controller_indices[i] != 0)
      ref.controller = controllers[pods.controller_indices[i] - 1];
    ref.shape = cluster_.shape(ref);
    if (!take_name(ref, from, i)) continue;
    if (t.placed) {
      ++counts_.already_placed;
      place(ref, t.spec->node_name, from, i);
    } else {
      waiting.push_back(ref);
    }
  }
}

bool Intake::is_known(const model::PodRecord& pod) const {
  return names_.contains(uint64_t{pod.namespace_name} << 32 | pod.name);
}

void Intake::remove_pod(const std::string& namespace_name, const std::string& name,
                        const Origin& from, size_t index, const char* what) {
  model::StringId in = cluster_.strings().find(namespace_name);
  model::StringId id = cluster_.strings().find(name);
  // One that came and was not placed is gone all the same.
  const bool came = names_.erase(uint64_t{in} << 32 | id) != 0;
  const bool placed = in != 0 && id != 0 && cluster_.remove_pod(in, id);
  if (!came && !placed)
    report(from, index, namespace_name + "/" + name,
           std::string("the pod is said to be ") + what + ", and there is no such pod");
}

void Intake::update_pod(const model::Pod& pod, const Origin& from, size_t index,
                        std::vector<model::PodRecord>& waiting) {
  model::PodRecord ref = cluster_.refer(pod);
  model::Slot slot = cluster_.placed_on(ref.namespace_name, ref.name);
  if (slot == model::NodeTable::kNoSlot) {
    if (pod.bound()) {
      place(ref, pod.spec.node_name, from, index);
    } else if (!is_known(ref)) {
      add_work_pod(pod, from, index, waiting);
    }
    // A pod that waits was tried when it came and is not tried again, so it has nothing to change.
    return;
  }
  model::StringId node = cluster_.nodes().node(slot).name;
  cluster_.remove_pod(ref.namespace_name, ref.name);
  if (pod.finished()) return;
  cluster_.place(ref, cluster_.text(node));
}

void Intake::apply(const ingest::Event& event, const Origin& from,
                   std::vector<model::PodRecord>& waiting, size_t index) {
  ++counts_.events;
  std::visit(
      [&](const auto& e) {
        using E = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<E, ingest::NodeAdded> ||
                      std::is_same_v<E, ingest::NodeUpdated>) {
          cluster_.put_node(e.node);
        } else if constexpr (std::is_same_v<E, ingest::NodeDeleted>) {
          if (!cluster_.remove_node(e.name))
            report(from, index, e.name,
                   "the node is said to be deleted, and there is no such node");
        } else if constexpr (std::is_same_v<E, ingest::PodPlaced>) {
          model::Pod pod = e.pod.pod();
          place(cluster_.refer(pod), pod.spec.node_name, from, index);
        } else if constexpr (std::is_same_v<E, ingest::PodUpdated>) {
          update_pod(e.pod.pod(), from, index, waiting);
        } else if constexpr (std::is_same_v<E, ingest::PodDeleted>) {
          remove_pod(e.namespace_name, e.name, from, index, "deleted");
        } else if constexpr (std::is_same_v<E, ingest::PodFinished>) {
          remove_pod(e.namespace_name, e.name, from, index, "finished");
        } else if constexpr (std::is_same_v<E, ingest::NamespaceDeleted>) {
          if (!cluster_.remove_namespace(e.name))
            report(from, index, e.name,
                   "the namespace is said to be deleted, and there is no such one");
        } else if constexpr (std::is_same_v<E, ingest::SelectorOwnerAdded> ||
                             std::is_same_v<E, ingest::SelectorOwnerUpdated>) {
          cluster_.put_selector_owner(e.object);
        } else if constexpr (std::is_same_v<E, ingest::SelectorOwnerDeleted>) {
          if (!cluster_.remove_selector_owner(e.kind, e.namespace_name, e.name))
            report(from, index, e.namespace_name + "/" + e.name,
                   "the " + std::string(ingest::selector_owner_kind_name(e.kind)) +
                       " is said to be deleted, and there is no such one");
        } else {
          cluster_.put_namespace(e.object);
        }
      },
      event);
}

}  // namespace berth::cli
