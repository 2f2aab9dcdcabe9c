#include "engine/played/workloads/daemon_set.h"

#include <algorithm>
#include <utility>

#include "engine/ingest/workloads/made_pods.h"
#include "engine/ingest/workloads/matching.h"

namespace berth::played {
namespace {

// As far as a DaemonSet reads it; nothing: there is no such node.
std::optional<model::Node> find_node(const model::Cluster& cluster, const std::string& name) {
  const model::Slot slot = cluster.nodes().find(cluster.strings().find(name));
  if (slot == model::kNoSlot || !cluster.nodes().node(slot).present) return std::nullopt;
  const model::NodeTable::Node& known = cluster.nodes().node(slot);
  model::Node node;
  node.name = name;
  node.labels = model::label_texts(cluster.strings(), known.labels);
  node.taints = cluster.taint_sets().taints(known.taint_set);
  return node;
}

}  // namespace

// The node of a pod that waits is in its affinity.
std::string DaemonSet::place_of(const model::PodRecord& record) const {
  const model::Cluster& cluster = means().cluster();
  const auto& required = cluster.templates()[record.pod_template].spec.affinity.node_required;
  if (required)
    for (const model::NodeSelectorTerm& term : required->terms)
      for (const model::Requirement& field : term.match_fields)
        if (field.key == "metadata.name" && field.op == "In" && field.values.size() == 1)
          return field.values[0];
  return record.placed() ? std::string(cluster.nodes().name(record.slot)) : std::string();
}

bool DaemonSet::came(const OwnPod& pod, const model::PodRecord& record) {
  served_[place_of(record)].insert(pod.id.handle());
  return false;
}

bool DaemonSet::ended(const OwnPod& pod, const model::PodRecord& record,
                      const runtime::PodFinish* finish) {
  const std::string node = place_of(record);
  const auto at = served_.find(node);
  if (at != served_.end() && at->second.erase(pod.id.handle()) != 0 && at->second.empty())
    served_.erase(at);
  const bool failed = finish != nullptr && !finish->succeeded && !pod.terminating;
  const Time when = failed ? backoff_.replaced_at(node, means().now()) : means().now();
  if (when > means().now()) return later_.emplace(when, node), true;
  due_.insert(node);
  return true;
}

bool DaemonSet::node_changed(const std::string& name, bool told) {
  if (told) due_.insert(name);
  return told;
}

std::optional<Time> DaemonSet::next() const {
  return later_.empty() ? std::nullopt : std::optional(later_.begin()->first);
}

void DaemonSet::act() {
  const model::NodeTable& nodes = means().cluster().nodes();
  if (std::exchange(looks_at_all_, false))
    for (model::Slot slot = 0; slot < nodes.slots(); ++slot)
      if (nodes.node(slot).present) due_.insert(std::string(nodes.name(slot)));
  while (!later_.empty() && later_.begin()->first <= means().now())
    due_.insert(later_.extract(later_.begin()).value().second);
  for (const std::string& node : std::exchange(due_, {})) look_at(node);
}

// A pod that terminates keeps its place. Pods of a node that is gone are collected, unless they
// wait for it.
void DaemonSet::look_at(const std::string& name) {
  const auto served = served_.find(name);
  const std::optional<model::Node> node = find_node(means().cluster(), name);
  if (served == served_.end()) {
    const bool waits =
        std::ranges::any_of(later_, [&](const auto& one) { return one.second == name; });
    if (node && !waits && ingest::daemon_fits(object().pod->spec, *node))
      create(ingest::daemon_pod(object(), free_name(), name));
    return;
  }
  if (node && ingest::daemon_stays(object().pod->spec, *node)) return;
  for (const uint64_t handle : served->second)
    if (const OwnPod& pod = pods().at(handle); !pod.terminating && (node || !record(pod).placed()))
      remove(pod);
}

}  // namespace berth::played
