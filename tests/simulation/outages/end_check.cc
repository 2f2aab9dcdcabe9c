#include "tests/simulation/outages/end_check.h"

#include <map>

#include "tests/simulation/outages/pod_count.h"

namespace berth::simulation {

bool is_complete(const DrawnWorkload& workload, PodLives& lives) {
  return !workload.ends() ||
         lives.of(workload.object.name).succeeded >= *workload.object.job.completions;
}

std::string wrong_pods(const runtime::Core& core, const DrawnWorkload& workload, PodLives& lives,
                       uint64_t fewer) {
  const std::string& name = workload.object.name;
  const PodCount count = count_pods(core, name);
  const PodLives::Workload& life = lives.of(name);
  const uint64_t wanted = workload.ends() ? 0 : workload.object.replicas;
  const auto text = [](uint64_t number) { return std::to_string(number); };
  if (static_cast<uint64_t>(count.pods) != wanted || static_cast<uint64_t>(count.healthy) != wanted)
    return name + " has " + text(static_cast<uint64_t>(count.pods)) + " pods, of which " +
           text(static_cast<uint64_t>(count.healthy)) + " run, in place of " + text(wanted);
  if (life.made != wanted + life.gone)
    return "of " + name + ' ' + text(life.made) + " pods were made for " + text(wanted) +
           " that are there and " + text(life.gone) + " that went";
  if (life.surplus > fewer)
    return "of " + name + ' ' + text(life.surplus) + " pods went without an eviction, and " +
           text(fewer) + " were too many";
  if (workload.ends() && life.succeeded != *workload.object.job.completions)
    return "of " + name + ' ' + text(life.succeeded) + " pods succeeded in place of " +
           text(*workload.object.job.completions);
  return {};
}

std::string overfull_node(const model::Cluster& cluster, const OutageWorld& world) {
  std::map<std::string, int64_t> milli;  // by workload
  for (const DrawnWorkload& one : world.workloads) milli[one.object.name] = one.milli;
  for (const model::Node& node : world.nodes) {
    int64_t used = 0;
    for (const model::PodId pod : cluster.pods_on(node.name))
      used += milli[workload_of(cluster, cluster.pod(pod))];
    if (used > node.allocatable.front().second.milli_value())
      return "pods on " + node.name + " request " + std::to_string(used) + "m";
  }
  return {};
}

}  // namespace berth::simulation
