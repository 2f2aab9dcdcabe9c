#include "engine/validator/world/objects.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/base/points.h"
#include "engine/base/sort_once.h"

namespace berth::validator {
namespace {

using model::Quantity;

constexpr int64_t kMi = int64_t{1} << 20;

// Values of labels: words, and numbers as texts.
const std::vector<std::string> kValues = {"a", "b", "c", "1", "4"};
const std::vector<std::string> kEffects = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
// Of nodes, in the order in which a kubelet lists them.
const std::vector<std::string> kFeatures = {"RestartAllContainersOnContainerExits",
                                            "UserNamespacesHostNetworkSupport"};
const std::vector<std::string> kImages = {"web:1", "web:2", "db", "registry:5000/tool"};

constexpr uint32_t kClaims = 12;
constexpr const char* kDriver = "csi.example.com";

std::string claim_name(uint32_t number) { return "claim-" + std::to_string(number); }

struct Family {
  std::string_view prefix;
  std::vector<std::string> Vocabulary::*names;
};
constexpr Family kFamilies[] = {{"node.label:", &Vocabulary::node_labels},
                                {"node.has_label:", &Vocabulary::node_labels},
                                {"node.domain:", &Vocabulary::node_labels},
                                {"pod.label:", &Vocabulary::pod_labels},
                                {"node.annotation:", &Vocabulary::annotations},
                                {"node.allocatable:", &Vocabulary::resources},
                                {"node.requested:", &Vocabulary::resources},
                                {"pod.container_requests:", &Vocabulary::resources},
                                {"pod.container_limits:", &Vocabulary::resources},
                                {"pod.init_container_requests:", &Vocabulary::resources},
                                {"pod.init_container_limits:", &Vocabulary::resources}};

void add_name(std::string_view column, Vocabulary& words) {
  for (const Family& family : kFamilies) {
    if (!column.starts_with(family.prefix)) continue;
    const std::string_view name = column.substr(family.prefix.size());
    if (name != "*") (words.*family.names).emplace_back(name);
  }
}

bool is_extended(const std::string& resource) {
  return resource != "cpu" && resource != "memory" && resource != "pods";
}

// The keys in order, each with a chance of `percent`.
template <typename Value>
auto some(Draws& draws, const std::vector<std::string>& keys, uint64_t percent, Value&& value) {
  std::vector<std::pair<std::string, decltype(value(keys.front()))>> made;
  for (const std::string& key : keys)
    if (draws.percent(percent)) made.emplace_back(key, value(key));
  return made;
}

model::StringMap random_labels(Draws& draws, const std::vector<std::string>& keys,
                               const std::string& hostname) {
  return some(draws, keys, 75, [&](const std::string& key) {
    return key == "kubernetes.io/hostname" && !hostname.empty() ? hostname : draws.one_of(kValues);
  });
}

void put(model::ResourceList& list, const std::string& name, Quantity amount) {
  const auto at = std::ranges::lower_bound(list, name, {}, &model::ResourceList::value_type::first);
  list.insert(at, {name, amount});
}

model::NodeSelectorTerm random_term(Draws& draws, const Vocabulary& words) {
  model::Requirement one{draws.one_of(words.node_labels), "In", {draws.one_of(kValues)}};
  if (draws.percent(30)) one.op = "NotIn";
  if (draws.percent(20)) one = {one.key, "Exists", {}};
  return {{one}, {}};
}

model::LabelSelector random_selector(Draws& draws, const Vocabulary& words) {
  return {{{draws.one_of(words.pod_labels), draws.one_of(kValues)}}, {}};
}

model::PodAffinityTerm random_pod_term(Draws& draws, const Vocabulary& words) {
  model::PodAffinityTerm term;
  term.label_selector = random_selector(draws, words);
  term.topology_key = draws.one_of(words.node_labels);
  return term;
}

void add_relations(Draws& draws, const Vocabulary& words, model::PodSpec& spec) {
  spec.affinity = {};
  spec.topology_spread_constraints.clear();
  spec.has_node_selector = false;
  spec.node_selector.clear();
  if (draws.percent(20)) {
    spec.has_node_selector = true;
    spec.node_selector = {{draws.one_of(words.node_labels), draws.one_of(kValues)}};
  }
  if (draws.percent(25)) spec.affinity.node_required = {{random_term(draws, words)}};
  if (draws.percent(25)) {
    spec.affinity.has_node_preferred = true;
    spec.affinity.node_preferred = {
        {static_cast<int32_t>(draws.between(1, 100)), random_term(draws, words)}};
  }
  if (draws.percent(15)) {
    spec.affinity.pod_affinity.emplace();
    spec.affinity.pod_affinity->preferred = {{7, random_pod_term(draws, words)}};
    if (draws.percent(40)) spec.affinity.pod_affinity->required = {random_pod_term(draws, words)};
  }
  if (draws.percent(15)) {
    spec.affinity.pod_anti_affinity.emplace();
    spec.affinity.pod_anti_affinity->required = {random_pod_term(draws, words)};
  }
  if (draws.percent(25)) {
    model::TopologySpreadConstraint one;
    one.max_skew = static_cast<int32_t>(draws.between(1, 3));
    one.topology_key = draws.one_of(words.node_labels);
    one.when_unsatisfiable = draws.percent(50) ? "DoNotSchedule" : "ScheduleAnyway";
    one.label_selector = random_selector(draws, words);
    spec.topology_spread_constraints.push_back(std::move(one));
  }
}

model::Container random_container(Draws& draws, const Vocabulary& words) {
  model::Container made;
  made.name = "c";
  made.image = draws.one_of(kImages);
  if (draws.percent(80)) put(made.requests, "cpu", Quantity::from_milli(draws.between(0, 2000)));
  if (draws.percent(80))
    put(made.requests, "memory", Quantity::from_units(draws.between(0, 2000) * kMi));
  for (const std::string& resource : words.resources)
    if (draws.percent(20)) put(made.requests, resource, Quantity::from_units(draws.between(1, 3)));
  if (draws.percent(20))
    made.ports.push_back({"", "TCP", static_cast<int32_t>(draws.between(80, 82))});
  return made;
}

void add_volumes(Draws& draws, model::PodSpec& spec) {
  spec.volumes.clear();
  for (int64_t i = draws.percent(60) ? draws.between(1, 2) : 0; i > 0; --i) {
    model::PodVolume volume;
    switch (draws.below(4)) {
      case 0:
      case 1:
        volume.is_claim = true;
        volume.claim = claim_name(static_cast<uint32_t>(draws.below(kClaims)));
        break;
      case 2:
        volume.disks = {draws.one_of(kValues)};
        volume.read_only = draws.percent(40);
        break;
      default:
        volume.csi_driver = kDriver;
    }
    spec.volumes.push_back(std::move(volume));
  }
}

// That a node may have to declare: kFeatures.
void add_needs(Draws& draws, model::PodSpec& spec) {
  spec.host_user_namespace = draws.percent(10);
  for (model::Container& container : spec.containers) container.restart_all = draws.percent(10);
}

constexpr uint32_t kPodParts = 7;

// Draws one part of a pod anew.
void draw_part(Draws& draws, const Vocabulary& words, uint32_t part, model::Pod& pod) {
  model::PodSpec& spec = pod.spec;
  switch (part) {
    case 0:
      spec.labels = random_labels(draws, words.pod_labels, {});
      return;
    case 1:
      spec.priority.reset();
      if (draws.percent(60)) spec.priority = static_cast<int32_t>(draws.between(-1, 3) * 10);
      spec.scheduling_gates.clear();
      if (draws.percent(10)) spec.scheduling_gates = {"wait"};
      return;
    case 2:
      spec.containers.clear();
      for (int64_t i = draws.between(1, 2); i > 0; --i)
        spec.containers.push_back(random_container(draws, words));
      return;
    case 3:
      spec.tolerations.clear();
      if (draws.percent(40))
        spec.tolerations.push_back({draws.percent(50) ? "dedicated" : "spot", "Exists", "", ""});
      return;
    case 4:
      add_relations(draws, words, spec);
      return;
    case 5:
      add_needs(draws, spec);
      return;
    default:
      add_volumes(draws, spec);
      pod.controller.reset();
      if (draws.percent(30))
        pod.controller = model::Controller{"apps/v1", "ReplicaSet", "web", "1"};
  }
}

void name_pod(model::Pod& pod, uint32_t number) {
  pod.name = "pod-" + std::to_string(number);
  pod.uid = "uid-" + std::to_string(number);
  pod.created_at = static_cast<int64_t>(number + 1) * 1'000'000'000;
}

}  // namespace

std::string node_name(uint32_t number) { return "node-" + std::to_string(number); }

Vocabulary vocabulary_of(const host::Instance& instance) {
  Vocabulary words;
  words.node_labels = {"disk", "kubernetes.io/hostname", "topology.kubernetes.io/zone"};
  words.pod_labels = {"app", "tier"};
  words.resources = {"ephemeral-storage", "example.com/device"};
  for (const PointInfo& info : kPoints) {
    const host::Hook* hook = instance.hook(info.point);
    if (hook == nullptr) continue;
    for (const std::string& column : hook->inputs()) add_name(column, words);
  }
  std::erase_if(words.resources, [](const std::string& name) { return !is_extended(name); });
  sort_once(words.node_labels), sort_once(words.pod_labels), sort_once(words.annotations),
      sort_once(words.resources);
  return words;
}

std::vector<model::VolumeObject> random_storage(Draws& draws, uint32_t nodes) {
  std::vector<model::VolumeObject> made;
  made.push_back(model::StorageClass{.name = "waits",
                                     .provisioner = kDriver,
                                     .has_binding_mode = true,
                                     .waits = true,
                                     .reclaim = {},
                                     .allowed_topologies = {},
                                     .is_default = false,
                                     .created_at = 0});
  made.push_back(model::CsiDriver{kDriver, false});
  for (uint32_t i = 0; i < nodes; ++i)
    if (draws.percent(70))
      made.push_back(model::CsiNode{
          node_name(i), {{kDriver, draws.between(0, 3), {"kubernetes.io/hostname"}}}, {}});
  for (const char* space : {"default", "team"})
    for (uint32_t i = 0; i < kClaims; ++i) {
      const std::string name = claim_name(i);
      model::PersistentVolumeClaim claim;
      claim.namespace_name = space, claim.name = name, claim.uid = space + ("-uid-" + name);
      claim.storage_class = "waits";
      claim.access_modes = {draws.percent(70) ? "ReadWriteOnce" : "ReadWriteOncePod"};
      claim.storage = kMi;
      if (draws.percent(75)) {
        model::PersistentVolume volume;
        volume.name = claim.volume_name = space + ("-volume-" + name);
        volume.labels = {{"topology.kubernetes.io/zone", draws.one_of(kValues)}};
        volume.has_claim = claim.bind_completed = true;
        volume.claim_namespace = space, volume.claim_name = name, volume.claim_uid = claim.uid;
        volume.storage_class = "waits";
        volume.access_modes = claim.access_modes;
        volume.storage = kMi;
        volume.csi_driver = kDriver, volume.csi_handle = volume.name;
        if (draws.percent(50))
          volume.node_affinity = {
              {{{{"topology.kubernetes.io/zone", "In", {draws.one_of(kValues)}}}, {}}}};
        made.push_back(std::move(volume));
      }
      made.push_back(std::move(claim));
    }
  return made;
}

model::Node random_node(Draws& draws, const Vocabulary& words, uint32_t number) {
  model::Node node;
  node.name = node_name(number);
  node.labels = random_labels(draws, words.node_labels, node.name);
  node.annotations = random_labels(draws, words.annotations, {});
  node.unschedulable = draws.percent(8);
  if (draws.percent(30))
    node.taints.push_back(
        {draws.percent(50) ? "dedicated" : "spot", draws.one_of(kValues), draws.one_of(kEffects)});
  put(node.allocatable, "cpu", Quantity::from_milli(draws.between(1, 8) * 1000));
  put(node.allocatable, "memory", Quantity::from_units(draws.between(1, 16) * 1024 * kMi));
  put(node.allocatable, "pods", Quantity::from_units(draws.between(1, 20)));
  for (const std::string& resource : words.resources)
    if (draws.percent(60))
      put(node.allocatable, resource, Quantity::from_units(draws.between(0, 9)));
  if (draws.percent(60))
    node.images.push_back({{draws.one_of(kImages)}, draws.between(1, 2000) * kMi});
  for (const std::string& feature : kFeatures)
    if (draws.percent(60)) node.declared_features.push_back(feature);
  return node;
}

model::Pod random_pod(Draws& draws, const Vocabulary& words, uint32_t number, uint32_t nodes) {
  model::Pod pod;
  name_pod(pod, number);
  pod.namespace_name = draws.percent(70) ? "default" : "team";
  if (draws.percent(15)) pod.spec.node_name = node_name(static_cast<uint32_t>(draws.below(nodes)));
  for (uint32_t part = 0; part < kPodParts; ++part) draw_part(draws, words, part, pod);
  return pod;
}

model::Pod random_twin(Draws& draws, const Vocabulary& words, uint32_t number,
                       const model::Pod& other) {
  model::Pod pod = other;
  name_pod(pod, number);
  draw_part(draws, words, static_cast<uint32_t>(draws.below(kPodParts)), pod);
  return pod;
}

}  // namespace berth::validator
