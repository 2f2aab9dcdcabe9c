#include "engine/extenders/objects.h"

#include <algorithm>

#include "engine/ingest/written/object_json.h"

namespace berth::extenders {
namespace {

model::Node node_of(const model::Cluster& cluster, const model::NodeTable::Node& known) {
  model::Node node;
  node.name = cluster.text(known.name);
  node.labels = model::label_texts(cluster.strings(), known.labels);
  node.annotations = model::label_texts(cluster.strings(), known.annotations);
  node.unschedulable = known.unschedulable;
  node.taints = cluster.taint_sets().taints(known.taint_set);
  for (const auto& [resource, amount] : known.allocatable) {
    const std::string_view name = cluster.text(resource);
    node.allocatable.emplace_back(name, name == "cpu" ? model::Quantity::from_milli(amount)
                                                      : model::Quantity::from_units(amount));
  }
  std::sort(node.allocatable.begin(), node.allocatable.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < known.images.size(); ++i)
    node.images.push_back({{std::string(cluster.text(cluster.images().name(known.images[i])))},
                           known.image_sizes[i]});
  return node;
}

model::Pod pod_of(const model::Cluster& cluster, const model::PodRecord& known) {
  model::Pod pod;
  pod.name = cluster.text(known.name);
  pod.namespace_name = cluster.text(known.namespace_name);
  pod.uid = cluster.text(known.uid);
  if (known.controller != 0) pod.controller = cluster.templates().controller(known.controller);
  pod.spec = cluster.templates()[known.pod_template].spec;
  pod.spec.labels = model::label_texts(cluster.strings(), cluster.templates().labels(known.labels));
  if (known.placed()) {
    pod.spec.node_name = cluster.nodes().name(known.slot);
    pod.phase = model::PodPhase::kRunning;
  }
  if (known.nominated_node != 0) pod.nominated_node_name = cluster.text(known.nominated_node);
  pod.terminating = known.terminating;
  pod.preempted = known.preempted;
  pod.ready = known.ready;
  pod.created_at = known.created_at;
  pod.started_at = known.started_at;
  return pod;
}

}  // namespace

void append_pod(const model::Cluster& cluster, const WholeObjects& whole,
                const model::PodRecord& pod, std::string& out) {
  const ingest::WholeObject* came = whole.of_pod(pod);
  if (came == nullptr) return ingest::append(pod_of(cluster, pod), out);
  std::string now;
  ingest::append(pod_of(cluster, pod), now);
  out += ingest::updated(*came, now);
}

void append_node(const model::Cluster& cluster, const WholeObjects& whole, model::Row row,
                 std::string& out) {
  const model::NodeTable::Node& known = cluster.nodes().node(cluster.nodes().slot_of(row));
  model::Node node = node_of(cluster, known);
  const ingest::WholeObject* came = whole.of_node(node.name);
  if (came == nullptr) return ingest::append(node, out);
  node.images.clear();
  std::string now;
  ingest::append(node, now);
  out += ingest::updated(*came, now);
}

}  // namespace berth::extenders
