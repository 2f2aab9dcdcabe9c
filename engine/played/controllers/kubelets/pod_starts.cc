#include "engine/played/controllers/kubelets/pod_starts.h"

#include <algorithm>

#include "engine/played/controllers/kubelets/kubelet_pod.h"

namespace berth::played {

namespace kubelet = controllers::kubelet;

kubelet::NodeFacts PodStarts::facts_of(model::Slot node) const {
  const model::NodeTable::Node& known = cluster_.nodes().node(node);
  kubelet::NodeFacts facts;
  facts.name = cluster_.nodes().name(node);
  facts.labels = model::label_texts(cluster_.strings(), known.labels);
  facts.supplemental_groups_policy = with_groups_policy_.contains(facts.name);
  facts.taints = cluster_.taint_sets().taints(known.taint_set);
  for (const auto& [resource, amount] : known.allocatable) {
    const std::string name(cluster_.text(resource));
    facts.allocatable.emplace_back(name, name == "cpu" ? model::Quantity::from_milli(amount)
                                                       : model::Quantity::from_units(amount));
  }
  std::ranges::sort(facts.allocatable, {}, &model::ResourceList::value_type::first);
  return facts;
}

kubelet::StartingPod PodStarts::starting(model::PodId pod) const {
  const model::PodRecord& record = cluster_.pod(pod);
  return {kubelet_pod(cluster_, record), cluster_.templates()[record.pod_template].spec, resize_};
}

KubeletStart PodStarts::decide(model::PodId pod, const std::vector<model::PodId>& others) {
  std::vector<kubelet::StartingPod> running;
  std::vector<const kubelet::StartingPod*> list;
  running.reserve(others.size());
  for (const model::PodId other : others) list.push_back(&running.emplace_back(starting(other)));
  const model::PodRecord& record = cluster_.pod(pod);
  kubelet::StartingPod own = starting(pod);
  own.spec.labels =
      model::label_texts(cluster_.strings(), cluster_.templates().labels(record.labels));
  const kubelet::PodStart made = decide_start(predicates_, facts_of(record.slot), own, list);
  KubeletStart start{made.refusal};
  for (const kubelet::Pod* stopped : made.preempted) {
    const auto at = std::ranges::find_if(
        running, [&](const kubelet::StartingPod& one) { return &one.pod == stopped; });
    start.preempted.push_back(others[static_cast<size_t>(at - running.begin())]);
  }
  return start;
}

}  // namespace berth::played
