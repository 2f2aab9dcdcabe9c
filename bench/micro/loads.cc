#include "bench/micro/loads.h"

#include <array>
#include <string>

namespace berth::bench {
namespace {

constexpr char kHostname[] = "kubernetes.io/hostname";
constexpr char kZone[] = "topology.kubernetes.io/zone";
constexpr char kFirst[] = "sched-0";
constexpr char kSecond[] = "sched-1";

std::string group_of(uint32_t number, uint32_t groups) {
  return "group-" + std::to_string(number % groups);
}

model::LabelSelector selector(const std::string& color) { return {{{"color", color}}, {}}; }

model::PodAffinityTerm term(const std::string& color, const char* key, bool of_teams) {
  model::PodAffinityTerm made;
  made.label_selector = selector(color);
  made.topology_key = key;
  if (of_teams)
    made.namespace_selector = model::LabelSelector{{{"team", "devops"}}, {}};
  else
    made.namespaces = {kFirst, kSecond};
  return made;
}

void relate(Load load, const std::string& color, model::PodSpec& spec) {
  auto spread = [&](const char* when) {
    model::TopologySpreadConstraint constraint;
    constraint.max_skew = 5;
    constraint.topology_key = kZone;
    constraint.when_unsatisfiable = when;
    constraint.label_selector = selector(color);
    spec.topology_spread_constraints.push_back(constraint);
  };
  auto& affinity = spec.affinity;
  switch (load) {
    case Load::kPlain:
    case Load::kDefaultTopologySpreading:
      return;
    case Load::kTopologySpreading:
      return spread("DoNotSchedule");
    case Load::kPreferredTopologySpreading:
      return spread("ScheduleAnyway");
    case Load::kPodAntiAffinity:
      affinity.pod_anti_affinity = model::PodAffinity{{term(color, kHostname, false)}, {}};
      return;
    case Load::kPodAffinity:
      affinity.pod_affinity = model::PodAffinity{{term(color, kZone, false)}, {}};
      return;
    case Load::kPreferredPodAffinity:
      affinity.pod_affinity = model::PodAffinity{{}, {{1, term(color, kHostname, false)}}};
      return;
    case Load::kPreferredPodAntiAffinity:
      affinity.pod_anti_affinity = model::PodAffinity{{}, {{1, term(color, kHostname, false)}}};
      return;
    case Load::kRequiredPodAntiAffinityWithNSSelector:
      affinity.pod_anti_affinity = model::PodAffinity{{term(color, kHostname, true)}, {}};
      return;
  }
}

}  // namespace

void prepare(Load load, uint32_t groups, model::Cluster& cluster) {
  for (const char* name : {kFirst, kSecond}) cluster.put_namespace({name, {{"team", "devops"}}});
  if (load != Load::kDefaultTopologySpreading) return;
  for (const char* name : {kFirst, kSecond})
    for (uint32_t i = 0; i < groups; ++i)
      cluster.put_selector_owner({model::SelectorOwnerKind::kService,
                                  "service-" + std::to_string(i), name,
                                  selector(group_of(i, groups))});
}

std::string_view zone_of(Load load, uint32_t node) {
  static constexpr std::array<std::string_view, 3> kZones = {"moon-1", "moon-2", "moon-3"};
  switch (load) {
    case Load::kPodAffinity:
      return "zone1";
    case Load::kPlain:
    case Load::kTopologySpreading:
    case Load::kPreferredTopologySpreading:
    case Load::kDefaultTopologySpreading:
      return kZones[node % kZones.size()];
    default:
      return {};
  }
}

model::Pod pod_of(Load load, uint32_t number, uint32_t groups) {
  model::Pod pod;
  pod.name = "pod-" + std::to_string(number);
  pod.namespace_name = kSecond;
  const std::string color = group_of(number, groups);
  pod.spec.labels = {{"color", color}};
  relate(load, color, pod.spec);
  return pod;
}

}  // namespace berth::bench
