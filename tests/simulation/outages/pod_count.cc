#include "tests/simulation/outages/pod_count.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace berth::simulation {
namespace {

bool has_taint(const std::vector<model::Taint>& taints, std::string_view key) {
  return std::ranges::any_of(taints, [&](const model::Taint& taint) {
    return taint.key == key && taint.effect == "NoSchedule";
  });
}

}  // namespace

std::string workload_of(const model::Cluster& cluster, const model::PodRecord& pod) {
  if (pod.controller == 0) return {};
  return cluster.templates().controller(pod.controller).name;
}

// A node that is gone says nothing: its pods stay what they were.
Health health_of(const model::Cluster& cluster, const model::PodRecord& pod) {
  if (pod.terminating || pod.state != model::PodState::kBound ||
      pod.ready == model::PodReady::kFalse)
    return Health::kUnhealthy;
  const model::NodeTable::Node& node = cluster.nodes().node(pod.slot);
  if (!node.present) return Health::kDoubtful;
  const std::vector<model::Taint> taints = cluster.taint_sets().taints(node.taint_set);
  if (has_taint(taints, "node.kubernetes.io/unreachable")) return Health::kUnhealthy;
  return has_taint(taints, "node.kubernetes.io/not-ready") ? Health::kDoubtful : Health::kHealthy;
}

PodCount count_pods(const runtime::Core& core, const std::string& workload, model::PodId but) {
  const model::Cluster& cluster = core.cluster();
  PodCount count;
  cluster.pods().for_each([&](const model::PodRecord& pod) {
    if (pod.id == but || workload_of(cluster, pod) != workload) return;
    ++count.pods;
    count.seen_active += !pod.terminating;
    count.active += !core.door().latest(pod.id).terminating;
    count.healthy += health_of(cluster, pod) != Health::kUnhealthy;
  });
  return count;
}

}  // namespace berth::simulation
