#pragma once

// The facts that decide whether a pod that is bound to a node starts there.

#include <string>
#include <utility>
#include <vector>

#include "engine/controllers/kubelet/pod/pod.h"
#include "engine/model/objects/objects.h"
#include "engine/model/objects/pod_requests.h"

namespace berth::controllers::kubelet {

struct StartingPod {
  // `resize`: whether a resize of the pod as a whole counts while it runs.
  StartingPod(Pod own, const model::PodSpec& scheduled,
              model::PodLevelResize resize = model::PodLevelResize::kCounts)
      : pod(std::move(own)), spec(scheduled), requests(model::pod_requests(scheduled, resize)) {}

  Pod pod;
  model::PodSpec spec;
  model::PodRequests requests;  // of `spec`
};

struct NodeFacts {
  std::string name;
  model::StringMap labels;
  std::vector<model::Taint> taints;
  model::ResourceList allocatable;
  int64_t memory_capacity = 0;              // bytes
  bool supplemental_groups_policy = false;  // status.features
};

}  // namespace berth::controllers::kubelet
