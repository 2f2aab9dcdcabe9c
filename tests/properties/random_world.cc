#include "tests/properties/random_world.h"

#include <algorithm>
#include <map>

#include "tests/properties/random_relations.h"

namespace berth::tests {
namespace {

using model::Quantity;

constexpr int64_t kMi = int64_t{1} << 20;

std::string node_name(int64_t number) { return "node-" + std::to_string(number); }

model::StringMap string_map(const std::map<std::string, std::string>& map) {
  return {map.begin(), map.end()};
}

model::ResourceList resource_list(const std::map<std::string, Quantity>& map) {
  return {map.begin(), map.end()};
}

std::string random_image(Dice& dice) {
  return dice.one_of<const char*>({"nginx", "nginx:1.27", "registry:5000/app", "busybox:latest",
                                   "quay.io/tool@sha256:abc", "model:v2"});
}

model::Taint random_taint(Dice& dice) {
  return {dice.one_of<const char*>({"dedicated", "gpu", "spot"}),
          dice.one_of<const char*>({"", "a", "b"}),
          dice.one_of<const char*>({"NoSchedule", "PreferNoSchedule", "NoExecute"})};
}

void add_zone(Dice& dice, std::map<std::string, std::string>& labels) {
  if (dice.chance(85))
    labels["topology.kubernetes.io/zone"] = dice.one_of<const char*>({"a", "b", "c"});
  if (dice.chance(30))
    labels["topology.kubernetes.io/region"] = dice.one_of<const char*>({"", "r"});
  if (dice.chance(10))
    labels["failure-domain.beta.kubernetes.io/zone"] = dice.one_of<const char*>({"a", "z"});
}

void add_images(Dice& dice, model::Node& node) {
  for (int64_t i = dice.number(0, 3); i > 0; --i) {
    std::vector<std::string> names{random_image(dice)};
    if (dice.chance(50)) names.push_back(names[0] + ":latest");
    if (dice.chance(20)) names.push_back(random_image(dice));
    node.images.push_back({names, dice.number(1, 2000) * kMi});
  }
}

model::Requirement random_requirement(Dice& dice) {
  std::string key = dice.one_of<const char*>({"disk", "cores", "topology.kubernetes.io/zone"});
  std::string op =
      dice.one_of<const char*>({"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "In", "In"});
  model::Requirement r{key, op, {}};
  if (op == "Gt" || op == "Lt") {
    r.values = {dice.chance(95) ? std::to_string(dice.number(-2, 12)) : "many"};
  } else if (op == "In" || op == "NotIn") {
    for (int64_t i = dice.number(dice.chance(3) ? 0 : 1, 3); i > 0; --i)
      r.values.push_back(dice.one_of<const char*>({"a", "b", "ssd", "hdd", "4"}));
  } else if (dice.chance(3)) {
    r.values = {"unwanted"};
  }
  if (dice.chance(1)) r.key = "not a key";
  if (dice.chance(1)) r.op = "Near";
  return r;
}

model::NodeSelectorTerm random_term(Dice& dice, uint32_t nodes) {
  model::NodeSelectorTerm term;
  for (int64_t i = dice.number(0, 2); i > 0; --i)
    term.match_expressions.push_back(random_requirement(dice));
  if (dice.chance(20))
    term.match_fields.push_back({dice.chance(97) ? "metadata.name" : "metadata.namespace",
                                 dice.chance(80) ? "In" : "NotIn",
                                 {node_name(dice.number(0, nodes))}});
  return term;
}

void add_affinity(Dice& dice, model::PodSpec& spec, uint32_t nodes) {
  if (dice.chance(15)) {
    spec.has_node_selector = true;
    if (dice.chance(70)) spec.node_selector = {{"disk", dice.one_of<const char*>({"ssd", "hdd"})}};
  }
  if (dice.chance(25)) {
    spec.affinity.node_required.emplace();
    for (int64_t i = dice.number(0, 2); i > 0; --i)
      spec.affinity.node_required->terms.push_back(random_term(dice, nodes));
  }
  if (dice.chance(30)) {
    spec.affinity.has_node_preferred = true;
    for (int64_t i = dice.number(0, 3); i > 0; --i)
      spec.affinity.node_preferred.push_back(
          {static_cast<int32_t>(dice.number(0, 100)), random_term(dice, nodes)});
  }
}

model::Toleration random_toleration(Dice& dice) {
  return {dice.one_of<const char*>({"dedicated", "gpu", "spot", ""}),
          dice.one_of<const char*>({"", "Equal", "Exists", "Exists"}),
          dice.one_of<const char*>({"", "a", "b"}),
          dice.one_of<const char*>({"", "", "NoSchedule", "PreferNoSchedule", "NoExecute"})};
}

model::ResourceList random_requests(Dice& dice, bool plain) {
  std::map<std::string, Quantity> requests;
  int64_t most = plain ? 400 : 3000;
  if (dice.chance(80)) requests["cpu"] = Quantity::from_milli(dice.number(0, most));
  if (dice.chance(80)) requests["memory"] = Quantity::from_units(dice.number(0, most) * kMi);
  if (dice.chance(10))
    requests["ephemeral-storage"] = Quantity::from_units(dice.number(1, 20) * 1024 * kMi);
  if (!plain && dice.chance(8))
    requests["example.com/gpu"] = Quantity::from_units(dice.number(0, 3));
  if (!plain && dice.chance(4))
    requests["hugepages-2Mi"] = Quantity::from_units(dice.number(1, 4) * 2 * kMi);
  return resource_list(requests);
}

model::Container random_container(Dice& dice, int64_t number, bool plain) {
  model::Container container;
  container.name = "c" + std::to_string(number);
  container.image = random_image(dice);
  container.requests = random_requests(dice, plain);
  if (!plain && dice.chance(15))
    container.ports.push_back({dice.one_of<const char*>({"", "0.0.0.0", "10.0.0.1"}),
                               dice.one_of<const char*>({"", "TCP", "UDP"}),
                               static_cast<int32_t>(dice.number(0, 1) * dice.number(80, 82))});
  return container;
}

void add_containers(Dice& dice, model::PodSpec& spec, bool plain) {
  int64_t number = 0;
  for (int64_t i = dice.number(dice.chance(5) ? 0 : 1, 2); i > 0; --i)
    spec.containers.push_back(random_container(dice, number++, plain));
  if (dice.chance(20))
    for (int64_t i = dice.number(1, 3); i > 0; --i) {
      spec.init_containers.push_back(random_container(dice, number++, plain));
      spec.init_containers.back().restart_always = dice.chance(40);
    }
  if (dice.chance(10)) spec.overhead = {{"cpu", Quantity::from_milli(dice.number(1, 100))}};
  if (!plain && dice.chance(10)) {
    spec.has_pod_resources = true;
    spec.pod_requests = random_requests(dice, plain);
  }
}

std::string json_text(const std::string& text) { return '"' + text + '"'; }

std::string named(const std::string& name) { return "{\"name\":" + json_text(name) + "}"; }

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

const std::vector<std::string> kFilters = {
    "NodeUnschedulable", "NodeName",         "TaintToleration",   "NodeAffinity",
    "NodePorts",         "NodeResourcesFit", "PodTopologySpread", "InterPodAffinity"};
const std::vector<std::string> kScorers = {
    "TaintToleration", "NodeAffinity",      "NodeResourcesFit", "NodeResourcesBalancedAllocation",
    "ImageLocality",   "PodTopologySpread", "InterPodAffinity"};

int64_t random_weight(Dice& dice) { return dice.chance(5) ? INT32_MAX : dice.number(1, 9); }

std::string random_score_plugins(Dice& dice) {
  std::vector<std::string> enabled, disabled;
  bool only = dice.chance(30);
  if (only) disabled.push_back(named("*"));
  std::vector<std::string> names = kScorers;
  if (only) dice.shuffle(names);
  for (const std::string& name : names) {
    if (only ? dice.chance(60) : dice.chance(30))
      enabled.push_back("{\"name\":" + json_text(name) +
                        ",\"weight\":" + std::to_string(random_weight(dice)) + "}");
    else if (!only && dice.chance(20))
      disabled.push_back(named(name));
  }
  return "\"score\":{\"enabled\":[" + joined(enabled) + "],\"disabled\":[" + joined(disabled) +
         "]}";
}

std::string random_filter_plugins(Dice& dice) {
  std::vector<std::string> enabled, disabled;
  if (dice.chance(20)) {
    disabled.push_back(named("*"));
    std::vector<std::string> names = kFilters;
    dice.shuffle(names);
    for (const std::string& name : names)
      if (dice.chance(70)) enabled.push_back(named(name));
  } else {
    for (const std::string& name : kFilters)
      if (dice.chance(10)) disabled.push_back(named(name));
  }
  return "\"filter\":{\"enabled\":[" + joined(enabled) + "],\"disabled\":[" + joined(disabled) +
         "]}";
}

constexpr const char* kAvoidKey = "scheduler.alpha.kubernetes.io/preferAvoidPods";

// The annotation with the controllers whose pods a node avoids.
std::string random_avoided(Dice& dice) {
  if (dice.chance(10)) return "{\"preferAvoidPods\":[{";
  std::vector<std::string> all;
  for (int64_t i = dice.number(1, 2); i > 0; --i)
    all.push_back(std::string("{\"podSignature\":{\"podController\":{\"kind\":\"") +
                  (dice.chance(50) ? "ReplicaSet" : "ReplicationController") +
                  "\",\"uid\":" + json_text(dice.one_of<const char*>({"1", "2"})) + "}}}");
  return "{\"preferAvoidPods\":[" + joined(all) + "]}";
}

std::string random_shape(Dice& dice) {
  std::vector<std::string> points;
  int64_t utilisation = dice.number(0, 30);
  for (int64_t i = dice.number(1, 4); i > 0 && utilisation <= 100; --i) {
    points.push_back("{\"utilization\":" + std::to_string(utilisation) +
                     ",\"score\":" + std::to_string(dice.number(0, 10)) + "}");
    utilisation += dice.number(1, 40);
  }
  return "[" + joined(points) + "]";
}

std::string random_resources(Dice& dice, bool weighted) {
  std::vector<std::string> resources;
  for (const char* name : {"cpu", "memory", "ephemeral-storage", "example.com/gpu"})
    if (dice.chance(60))
      resources.push_back("{\"name\":" + json_text(name) +
                          ",\"weight\":" + std::to_string(weighted ? dice.number(1, 5) : 1) + "}");
  if (resources.empty()) resources.push_back("{\"name\":\"cpu\",\"weight\":1}");
  return "[" + joined(resources) + "]";
}

std::string random_spread_arguments(Dice& dice, const std::string& version,
                                    SpreadArguments& arguments) {
  arguments.system_defaults = false;
  std::vector<std::string> constraints;
  for (const char* key : {"topology.kubernetes.io/zone", "kubernetes.io/hostname", "disk"}) {
    if (!dice.chance(50)) continue;
    model::TopologySpreadConstraint& made = arguments.default_constraints.emplace_back();
    made.max_skew = static_cast<int32_t>(dice.number(1, 5));
    made.topology_key = key;
    made.when_unsatisfiable = dice.chance(70) ? "ScheduleAnyway" : "DoNotSchedule";
    constraints.push_back("{\"maxSkew\":" + std::to_string(made.max_skew) +
                          ",\"topologyKey\":" + json_text(key) +
                          ",\"whenUnsatisfiable\":" + json_text(made.when_unsatisfiable) + "}");
  }
  return "{\"name\":\"PodTopologySpread\",\"args\":{" + version +
         "\"PodTopologySpreadArgs\",\"defaultingType\":\"List\",\"defaultConstraints\":[" +
         joined(constraints) + "]}}";
}

std::string random_affinity_arguments(Dice& dice, const std::string& version,
                                      AffinityArguments& arguments) {
  arguments.hard_pod_affinity_weight = static_cast<int32_t>(dice.number(0, 2) * 50);
  arguments.ignore_preferred_terms_of_existing_pods = dice.chance(50);
  return "{\"name\":\"InterPodAffinity\",\"args\":{" + version +
         "\"InterPodAffinityArgs\",\"hardPodAffinityWeight\":" +
         std::to_string(arguments.hard_pod_affinity_weight) +
         ",\"ignorePreferredTermsOfExistingPods\":" +
         (arguments.ignore_preferred_terms_of_existing_pods ? "true" : "false") + "}}";
}

std::string random_arguments(Dice& dice, PluginArguments& arguments) {
  const std::string version = "\"apiVersion\":\"kubescheduler.config.k8s.io/v1\",\"kind\":";
  std::vector<std::string> all;
  if (dice.chance(60)) {
    std::string type =
        dice.one_of<const char*>({"LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"});
    std::string args = version +
                       "\"NodeResourcesFitArgs\",\"scoringStrategy\":{\"type\":" + json_text(type) +
                       ",\"resources\":" + random_resources(dice, true);
    if (type == "RequestedToCapacityRatio")
      args += ",\"requestedToCapacityRatio\":{\"shape\":" + random_shape(dice) + "}";
    args += "}";
    if (dice.chance(20)) args += ",\"ignoredResources\":[\"example.com/gpu\"]";
    if (dice.chance(20)) args += ",\"ignoredResourceGroups\":[\"example.com\"]";
    all.push_back("{\"name\":\"NodeResourcesFit\",\"args\":{" + args + "}}");
  }
  if (dice.chance(40))
    all.push_back("{\"name\":\"NodeResourcesBalancedAllocation\",\"args\":{" + version +
                  "\"NodeResourcesBalancedAllocationArgs\",\"resources\":" +
                  random_resources(dice, false) + "}}");
  if (dice.chance(20))
    all.push_back(
        "{\"name\":\"NodeAffinity\",\"args\":{" + version +
        "\"NodeAffinityArgs\",\"addedAffinity\":{"
        "\"preferredDuringSchedulingIgnoredDuringExecution\":[{\"weight\":7,\"preference\":"
        "{\"matchExpressions\":[{\"key\":\"disk\",\"operator\":\"In\",\"values\":[\"ssd\"]}]}}]}}"
        "}");
  if (dice.chance(30)) all.push_back(random_spread_arguments(dice, version, arguments.spread));
  if (dice.chance(30)) all.push_back(random_affinity_arguments(dice, version, arguments.affinity));
  return "[" + joined(all) + "]";
}

}  // namespace

model::Node random_node(Dice& dice, uint32_t number) {
  model::Node node;
  node.name = node_name(number);
  std::map<std::string, std::string> labels{{"kubernetes.io/hostname", node.name}};
  add_zone(dice, labels);
  if (dice.chance(70)) labels["disk"] = dice.one_of<const char*>({"ssd", "hdd", ""});
  if (dice.chance(50))
    labels["cores"] = dice.chance(90) ? std::to_string(dice.number(-1, 10)) : "many";
  node.labels = string_map(labels);
  if (dice.chance(20)) node.annotations = {{kAvoidKey, random_avoided(dice)}};
  node.unschedulable = dice.chance(6);
  if (dice.chance(25))
    for (int64_t i = dice.number(1, 3); i > 0; --i) node.taints.push_back(random_taint(dice));
  std::map<std::string, Quantity> allocatable;
  if (dice.chance(98)) allocatable["cpu"] = Quantity::from_milli(dice.number(0, 8000));
  if (dice.chance(98)) allocatable["memory"] = Quantity::from_units(dice.number(1, 16000) * kMi);
  if (dice.chance(98)) allocatable["pods"] = Quantity::from_units(dice.number(1, 12));
  if (dice.chance(60))
    allocatable["ephemeral-storage"] = Quantity::from_units(dice.number(1, 100) * 1024 * kMi);
  if (dice.chance(25)) allocatable["example.com/gpu"] = Quantity::from_units(dice.number(0, 8));
  if (dice.chance(15)) allocatable["hugepages-2Mi"] = Quantity::from_units(64 * kMi);
  node.allocatable = resource_list(allocatable);
  add_images(dice, node);
  return node;
}

model::Pod random_pod(Dice& dice, const std::string& name, uint32_t nodes, bool plain) {
  model::Pod pod;
  pod.name = name;
  pod.namespace_name = dice.one_of<const char*>({"default", "team"});
  pod.uid = "uid-" + name;
  pod.spec.scheduler_name = dice.chance(90) ? "default-scheduler" : "";
  if (dice.chance(1)) pod.spec.scheduler_name = "nobody";
  if (dice.chance(40))
    pod.spec.priority = static_cast<int32_t>(dice.one_of<int64_t>({-10, 0, 5, 1000, INT32_MAX}));
  pod.spec.labels = {{"app", dice.one_of<const char*>({"web", "db"})}};
  add_containers(dice, pod.spec, plain);
  if (dice.chance(40))
    for (int64_t i = dice.number(1, 3); i > 0; --i)
      pod.spec.tolerations.push_back(random_toleration(dice));
  add_relations(dice, pod, plain);
  if (plain) return pod;
  add_affinity(dice, pod.spec, nodes);
  if (dice.chance(3)) pod.spec.scheduling_gates = {"wait"};
  // A pod that names a node but is scheduled anyway, which is the purpose of NodeName.
  if (dice.chance(3)) pod.spec.node_name = node_name(dice.number(0, nodes));
  if (dice.chance(12)) pod.nominated_node_name = node_name(dice.number(0, nodes));
  return pod;
}

std::string random_config(Dice& dice, PluginArguments& arguments) {
  std::vector<std::string> points{random_score_plugins(dice), random_filter_plugins(dice)};
  if (dice.chance(30))
    points.push_back("\"multiPoint\":{\"enabled\":[" + named("SelectorSpread") + "," +
                     named("NodePreferAvoidPods") + "]}");
  if (dice.chance(4))
    points.push_back("\"preFilter\":{\"disabled\":[" +
                     named(dice.one_of<const char*>({"NodeResourcesFit", "NodeAffinity"})) + "]}");
  if (dice.chance(4))
    points.push_back("\"preScore\":{\"disabled\":[" +
                     named(dice.one_of<const char*>({"TaintToleration", "NodeAffinity",
                                                     "NodePreferAvoidPods", "SelectorSpread"})) +
                     "]}");
  std::string profile = "\"schedulerName\":\"default-scheduler\",\"plugins\":{" + joined(points) +
                        "},\"pluginConfig\":" + random_arguments(dice, arguments);
  if (dice.chance(30))
    profile += ",\"percentageOfNodesToScore\":" + std::to_string(dice.number(0, 100));
  return "{\"apiVersion\":\"kubescheduler.config.k8s.io/"
         "v1\",\"kind\":\"KubeSchedulerConfiguration\","
         "\"percentageOfNodesToScore\":" +
         std::to_string(dice.number(0, 100)) + ",\"profiles\":[{" + profile + "}]}";
}

Step random_event(Dice& dice, uint32_t placed, uint32_t pods, uint32_t& nodes) {
  Step step;
  if (dice.chance(40)) {
    step.kind = Step::Kind::kRemovePod;
    bool of_placed = placed != 0 && dice.chance(50);
    step.pod.name = (of_placed ? "placed-" : "pod-") +
                    std::to_string(dice.number(0, of_placed ? placed : pods));
    step.pod.namespace_name = dice.one_of<const char*>({"default", "team"});
  } else if (dice.chance(20)) {
    step.kind = Step::Kind::kRemoveNode;
    step.node.name = node_name(dice.number(0, nodes));
  } else if (dice.chance(15)) {
    step.kind = dice.chance(30) ? Step::Kind::kRemoveNamespace : Step::Kind::kPutNamespace;
    step.name_space = random_namespace(dice);
  } else if (dice.chance(15)) {
    step.kind = dice.chance(30) ? Step::Kind::kRemoveSelectorOwner : Step::Kind::kPutSelectorOwner;
    step.selector_owner = random_selector_owner(dice);
  } else {
    step.kind = Step::Kind::kPutNode;
    bool known = nodes != 0 && dice.chance(60);
    step.node = random_node(
        dice, known ? static_cast<uint32_t>(dice.number(0, int64_t{nodes} - 1)) : nodes++);
  }
  return step;
}

World random_world(uint64_t seed, const WorldShape& shape) {
  Dice dice(seed);
  World world;
  world.config = random_config(dice, world.arguments);
  for (uint32_t i = 0; i < shape.nodes; ++i) world.nodes.push_back(random_node(dice, i));
  for (int64_t i = dice.number(0, 2); i > 0; --i)
    world.namespaces.push_back(random_namespace(dice));
  for (int64_t i = dice.number(0, 3); i > 0; --i)
    world.selector_owners.push_back(random_selector_owner(dice));
  for (uint32_t i = 0; i < shape.placed; ++i) {
    model::Pod pod = random_pod(dice, "placed-" + std::to_string(i), shape.nodes, shape.plain_pods);
    pod.spec.node_name = node_name(dice.number(0, shape.nodes));
    pod.terminating = dice.chance(10);
    world.placed.push_back(std::move(pod));
  }
  uint32_t pods = 0, nodes = shape.nodes;
  std::vector<model::Pod> kinds;
  for (uint32_t i = 0; i < shape.kinds; ++i)
    kinds.push_back(random_pod(dice, "", nodes, shape.plain_pods));
  while (pods < shape.pods) {
    Step step;
    if (!dice.chance(shape.events)) {
      const std::string name = "pod-" + std::to_string(pods++);
      step.pod =
          kinds.empty() ? random_pod(dice, name, nodes, shape.plain_pods) : dice.one_of(kinds);
      step.pod.name = name;
    } else {
      step = random_event(dice, shape.placed, pods, nodes);
    }
    world.steps.push_back(std::move(step));
  }
  return world;
}

}  // namespace berth::tests
