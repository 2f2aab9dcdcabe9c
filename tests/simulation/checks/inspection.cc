#include "tests/simulation/checks/inspection.h"

#include <algorithm>

#include "tests/simulation/checks/groups.h"
#include "tests/simulation/checks/placeable.h"

namespace berth::simulation {
namespace {

using model::PodState;

std::string words_for(const Place& place) {
  return "it fits node " + place.node +
         (place.by_preemption ? " in the place of pods of lower priority" : "");
}

}  // namespace

void Inspection::decided(const std::string& pod) {
  decided_[pod] = {core_->scheduler().decisions().count(), nominations()};
}

std::set<std::pair<std::string, std::string>> Inspection::nominations() const {
  std::set<std::pair<std::string, std::string>> found;
  const model::Cluster& cluster = core_->cluster();
  for (const model::Slot slot : cluster.nodes().nominations().slots()) {
    for (const model::Nomination& one : cluster.nodes().nominations().at(slot))
      found.emplace(cluster.text(cluster.pod(one.pod.pod).name), cluster.nodes().name(slot));
  }
  return found;
}

std::string Inspection::node_of(model::PodId pod) const {
  const model::Cluster& cluster = core_->cluster();
  const model::PodRecord& record = cluster.pod(pod);
  return record.placed() ? std::string(cluster.text(cluster.nodes().node(record.slot).name)) : "";
}

// A pod that a group holds in Permit is not bound yet.
std::string Inspection::difference() const {
  const model::Cluster& cluster = core_->cluster();
  if (cluster.pods().size() != server_.pods().size())
    return "the core knows " + std::to_string(cluster.pods().size()) + " pods, and there are " +
           std::to_string(server_.pods().size());
  for (const auto& [name, pod] : server_.pods()) {
    const model::PodId id = server_.known(name);
    if (!id) return "the core does not know " + name;
    const bool held = cluster.pod(id).state == PodState::kPermitWaiting;
    if (held && group_of(pod.object).empty()) return name + " is held, and is of no group";
    const std::string node = held ? "" : node_of(id);
    if (node != pod.object.spec.node_name)
      return name + " is on \"" + pod.object.spec.node_name + "\", and the core has it on \"" +
             node + '"';
  }
  return {};
}

Inspection::View Inspection::look() const {
  View view;
  view.objects.nodes = server_.nodes();
  for (const auto& [name, object] : server_.namespaces()) view.objects.namespaces[name] = object;
  for (const auto& [name, object] : server_.owners()) view.objects.put(object);
  for (const auto& [name, pod] : server_.pods()) {
    const model::Pod& object = pod.object;
    if (object.bound()) {
      view.objects.place(object, object.spec.node_name);
      continue;
    }
    const model::PodId id = server_.known(name);
    if (!id || object.terminating) continue;
    if (core_->cluster().pod(id).nominated)
      view.objects.nominated[{object.namespace_name, name}] = object;
    if (const std::string node = node_of(id); !node.empty()) view.objects.place(object, node);
    if (object.spec.scheduling_gates.empty()) view.waiting.push_back(&object);
  }
  return view;
}

tests::brute::Objects Inspection::View::without_held() const {
  tests::brute::Objects rest = objects;
  for (const model::Pod* pod : waiting) rest.placed.erase({pod->namespace_name, pod->name});
  return rest;
}

// A pod may fit beside pods that a group holds, by its affinity, and not without them. It is tried
// when they leave, and kube-scheduler has no event for pods that Permit begins to hold.
std::map<std::string, Refusal> Inspection::placeable() const {
  const View view = look();
  const tests::brute::Objects without_held = view.without_held();
  std::map<std::string, Refusal> found;
  for (const model::Pod* pod : view.waiting) {
    if (!group_of(*pod).empty()) continue;
    if (!place_of(*pod, without_held)) continue;
    if (const auto place = place_of(*pod, view.objects)) {
      Refusal refusal = refusal_of(*pod, place->node, place->by_preemption);
      refusal.words = pod->name + ": " + words_for(*place) + refusal.words;
      found.emplace(pod->name, std::move(refusal));
    }
  }
  return found;
}

std::vector<std::string> Inspection::waiting_groups() const {
  std::vector<std::string> found;
  if (rates_.group_members == 0) return found;
  const View view = look();
  using Group = std::pair<std::string, std::string>;
  const auto group = [](const model::Pod& pod) { return Group(pod.namespace_name, group_of(pod)); };
  std::map<Group, std::vector<const model::Pod*>> groups;
  for (const model::Pod* pod : view.waiting)
    if (!group_of(*pod).empty()) groups[group(*pod)].push_back(pod);
  for (const auto& [name, pods] : groups) {
    std::vector<const model::Pod*> others;
    for (const model::Pod* pod : view.waiting)
      if (group(*pod) != name) others.push_back(pod);
    const auto members = static_cast<size_t>(rates_.group_members);
    if (always_fits(pods, members, others, view.without_held()))
      found.push_back("group " + name.second + " of " + name.first + " waits with " +
                      std::to_string(pods.size()) + " pods that fit");
  }
  return found;
}

// kube-scheduler has no event for the end of a fault, for a pod that a preemption took out of
// Permit, for what makes preemption possible, and for a silent change. Its hints about pods that
// leave do not look at their anti-affinity against the pod that waits, and that of
// PodTopologySpread does not look at the end of a nomination (involvedInTopologySpreading).
Refusal Inspection::refusal_of(const model::Pod& pod, const std::string& node,
                               bool by_preemption) const {
  static const std::set<std::string> kSilent{"Chaos", "Extender", "DefaultPreemption",
                                             "InterPodAffinity"};
  Refusal refusal{"; refused by", by_preemption};
  bool by_spread = false;
  for (const queue::RefuserId by :
       core_->scheduler().queue().refusers(server_.known(pod.name)).all()) {
    const std::string& plugin = core_->scheduler().policy().name(by);
    refusal.words += " " + plugin;
    refusal.has_no_event |= kSilent.contains(plugin);
    by_spread |= plugin == "PodTopologySpread";
  }
  refusal.has_no_event |= changed_in_silence(pod, node, by_spread);
  refusal.has_no_event |= by_spread && nomination_ended(pod);
  return refusal;
}

// True if a pod that counts on the node (or anywhere) changed in silence since the last decision
// about this one.
bool Inspection::changed_in_silence(const model::Pod& pod, const std::string& node,
                                    bool any_node) const {
  const auto at = decided_.find(pod.name);
  const uint64_t last = at == decided_.end() ? 0 : at->second.number;
  const auto& changes = server_.silent_changes();
  return std::any_of(changes.begin(), changes.end(), [&](const Server::SilentChange& change) {
    if (change.after < last || change.pod == pod.name) return false;
    const model::PodId other = server_.known(change.pod);
    return other && (any_node || node_of(other) == node);
  });
}

// True if a nomination of another pod counted in the last decision, and does not any more.
bool Inspection::nomination_ended(const model::Pod& pod) const {
  const auto at = decided_.find(pod.name);
  if (at == decided_.end()) return false;
  const auto now = nominations();
  return std::any_of(at->second.nominated.begin(), at->second.nominated.end(),
                     [&](const auto& one) { return one.first != pod.name && !now.contains(one); });
}

}  // namespace berth::simulation
