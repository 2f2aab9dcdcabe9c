#pragma once

// The decision whether pods that come with a node start there. See
// controllers/kubelet/admission/pod_start.h.

#include <set>
#include <string>
#include <vector>

#include "engine/controllers/kubelet/admission/pod_start.h"
#include "engine/model/cluster/cluster.h"

namespace berth::played {

struct KubeletStart {
  std::optional<controllers::kubelet::Refusal> refusal;  // nothing: the pod starts
  std::vector<model::PodId> preempted{};                 // pods that stop for it
};

// One thread.
class PodStarts {
 public:
  // `rules`: of the run.
  PodStarts(const model::Cluster& cluster, const Rules& rules)
      : cluster_(cluster),
        resize_(rules.has(Rule::kPodLevelResize) ? model::PodLevelResize::kCounts
                                                 : model::PodLevelResize::kIgnored) {}

  void node_changed(const model::Node& node) {
    if (node.supplemental_groups_policy)
      with_groups_policy_.insert(node.name);
    else
      with_groups_policy_.erase(node.name);
  }
  void node_gone(const std::string& node) { with_groups_policy_.erase(node); }

  // `others`: the pods that run on the node. Precondition: the pod is bound to a node that is
  // there.
  KubeletStart decide(model::PodId pod, const std::vector<model::PodId>& others);

 private:
  controllers::kubelet::NodeFacts facts_of(model::Slot node) const;
  // Without labels.
  controllers::kubelet::StartingPod starting(model::PodId pod) const;

  const model::Cluster& cluster_;
  const model::PodLevelResize resize_;
  controllers::kubelet::Predicates predicates_;
  std::set<std::string, std::less<>> with_groups_policy_;  // nodes
};

}  // namespace berth::played
