#pragma once

#include <string>

#include "engine/model/cluster/cluster.h"

namespace berth::model {

// "NAMESPACE/NAME" of a pod, as messages, logs and records name it.
inline std::string full_name(const Cluster& cluster, const PodRecord& pod) {
  return std::string(cluster.text(pod.namespace_name)) + "/" + std::string(cluster.text(pod.name));
}
// Precondition: the cluster has the pod.
inline std::string full_name(const Cluster& cluster, PodId pod) {
  return full_name(cluster, cluster.pod(pod));
}

}  // namespace berth::model
