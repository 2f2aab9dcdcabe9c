#include "loadgen/shapes.h"

#include <algorithm>
#include <charconv>

#include "engine/base/draw.h"
#include "engine/base/error.h"
#include "engine/ingest/objects.h"

namespace berth::loadgen {
namespace {

constexpr char kZoneLabel[] = "topology.kubernetes.io/zone";

model::Quantity quantity(const std::string& text) {
  std::optional<model::Quantity> parsed = model::Quantity::parse(text);
  if (!parsed || parsed->negative())
    throw Error("expected a quantity such as 500m, 4 or 16Gi, found \"" + text + "\"");
  return *parsed;
}

model::ResourceList amounts(std::vector<std::pair<std::string, std::string>> list) {
  std::sort(list.begin(), list.end());
  model::ResourceList resources;
  for (const auto& [name, text] : list) resources.emplace_back(name, quantity(text));
  return resources;
}

NodeShape node(const char* name, uint64_t weight, const char* cpu, const char* memory) {
  return {
      name,
      weight,
      amounts({{"cpu", cpu}, {"memory", memory}, {"ephemeral-storage", "200Gi"}, {"pods", "110"}}),
      {}};
}

PodShape pod(const char* name, uint64_t weight, const char* cpu, const char* memory) {
  PodShape shape{name, weight, {}};
  shape.pod.namespace_name = "load";
  shape.pod.spec.scheduler_name = "default-scheduler";
  shape.pod.spec.labels = {{"app", name}};
  model::Container container;
  container.name = "main";
  container.image = std::string("registry.example/") + name + ":v1";
  container.requests = amounts({{"cpu", cpu}, {"memory", memory}});
  shape.pod.spec.containers.push_back(std::move(container));
  return shape;
}

model::NodeSelectorTerm in_zones(uint32_t zones) {
  model::Requirement requirement{kZoneLabel, "In", {}};
  for (uint32_t zone = 0; zone < zones; ++zone) requirement.values.push_back(zone_name(zone));
  return {{std::move(requirement)}, {}};
}

// "NAME[=WEIGHT]", and the weight.
std::pair<std::string, uint64_t> weighted(const std::string& text) {
  size_t equals = text.rfind('=');
  if (equals == std::string::npos) return {text, 1};
  uint64_t weight = 0;
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data() + equals + 1, end, weight);
  if (error != std::errc() || stop != end || weight == 0)
    throw Error("expected a weight of 1 or more behind the = of \"" + text + "\"");
  return {text.substr(0, equals), weight};
}

}  // namespace

std::string zone_name(uint32_t zone) { return "zone-" + std::to_string(zone); }

std::vector<NodeShape> builtin_node_shapes() {
  std::vector<NodeShape> shapes = {node("small", 5, "4", "16Gi"), node("medium", 3, "16", "64Gi"),
                                   node("large", 1, "32", "128Gi"), node("batch", 1, "16", "32Gi"),
                                   node("gpu", 1, "16", "64Gi")};
  shapes[3].taints = {{"dedicated", "batch", "NoSchedule"}};
  shapes[4].allocatable.emplace_back("example.com/gpu", quantity("4"));
  std::sort(shapes[4].allocatable.begin(), shapes[4].allocatable.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  shapes[4].taints = {{"example.com/gpu", "", "PreferNoSchedule"}};
  return shapes;
}

std::vector<PodShape> builtin_pod_shapes(uint32_t zones) {
  std::vector<PodShape> shapes = {
      pod("web", 400, "100m", "128Mi"), pod("api", 250, "250m", "512Mi"),
      pod("batch", 150, "1", "1Gi"),    pod("cache", 80, "500m", "4Gi"),
      pod("db", 50, "2", "8Gi"),        pod("ingress", 30, "200m", "256Mi"),
      pod("train", 30, "2", "8Gi"),     pod("monster", 10, "200", "1Ti")};
  shapes[1].pod.spec.affinity.node_preferred = {{50, in_zones(1)}};
  shapes[1].pod.spec.affinity.has_node_preferred = true;
  shapes[2].pod.spec.tolerations = {{"dedicated", "Equal", "batch", "NoSchedule"}};
  shapes[3].pod.spec.node_selector = {{kZoneLabel, zone_name(0)}};
  shapes[3].pod.spec.has_node_selector = true;
  shapes[4].pod.spec.affinity.node_required = model::NodeSelector{{in_zones(std::min(zones, 2u))}};
  shapes[4].pod.spec.priority = 100;
  shapes[5].pod.spec.containers[0].ports = {{"", "TCP", 8080}};
  shapes[6].pod.spec.containers[0].requests =
      amounts({{"cpu", "2"}, {"memory", "8Gi"}, {"example.com/gpu", "1"}});
  return shapes;
}

NodeShape parse_node_shape(const std::string& text) {
  size_t colon = text.find(':');
  if (colon == std::string::npos)
    throw Error("expected NAME[=WEIGHT]:cpu=4,memory=16Gi,pods=110, found \"" + text + "\"");
  NodeShape shape;
  std::tie(shape.name, shape.weight) = weighted(text.substr(0, colon));
  std::vector<std::pair<std::string, std::string>> list;
  std::string_view rest = std::string_view(text).substr(colon + 1);
  while (!rest.empty()) {
    std::string_view part = rest.substr(0, rest.find(','));
    size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0)
      throw Error("expected RESOURCE=QUANTITY in \"" + text + "\", found \"" + std::string(part) +
                  "\"");
    list.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
  }
  if (shape.name.empty() || list.empty())
    throw Error(
        "a shape has a name and resources, NAME[=WEIGHT]:cpu=4,memory=16Gi,pods=110; found \"" +
        text + "\"");
  shape.allocatable = amounts(std::move(list));
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  const auto twice = std::adjacent_find(shape.allocatable.begin(), shape.allocatable.end(), same);
  if (twice != shape.allocatable.end())
    throw Error("\"" + twice->first + "\" stands twice in \"" + text + "\"");
  return shape;
}

PodShape read_pod_shape(const std::string& text) {
  PodShape shape;
  std::string path;
  std::tie(path, shape.weight) = weighted(text);
  Diagnostics diagnostics;
  ingest::Objects objects = ingest::read_objects({path}, diagnostics);
  if (diagnostics.count() != 0) throw diagnostics.kept().front();
  if (objects.pods.size() != 1)
    throw Error(Place{.file = path, .field = {}},
                "expected one pod, found " + std::to_string(objects.pods.size()));
  shape.pod = objects.pods[0];
  shape.name = shape.pod.name;
  return shape;
}

template <typename Shape>
size_t choose(const std::vector<Shape>& shapes, uint64_t number) {
  uint64_t sum = 0;
  for (const Shape& shape : shapes) sum += shape.weight;
  uint64_t at = below(number, sum);
  size_t i = 0;
  for (; at >= shapes[i].weight; ++i) at -= shapes[i].weight;
  return i;
}

template size_t choose(const std::vector<NodeShape>&, uint64_t);
template size_t choose(const std::vector<PodShape>&, uint64_t);

}  // namespace berth::loadgen
