#include "loadgen/generate/cluster/nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/model/objects/names.h"
#include "loadgen/generate/draws/draws.h"

namespace berth::loadgen {

void set_label(model::StringMap& labels, const std::string& key, const std::string& value) {
  const auto at = std::ranges::lower_bound(labels, key, {}, &model::StringMap::value_type::first);
  if (at != labels.end() && at->first == key) {
    at->second = value;
  } else {
    labels.insert(at, {key, value});
  }
}

void set_amount(model::ResourceList& list, const std::string& resource, model::Quantity amount) {
  const auto at =
      std::ranges::lower_bound(list, resource, {}, &model::ResourceList::value_type::first);
  if (at != list.end() && at->first == resource) {
    at->second = amount;
  } else {
    list.insert(at, {resource, amount});
  }
}

void set_unschedulable(model::Node& node, bool unschedulable) {
  std::erase_if(node.taints,
                [](const model::Taint& taint) { return taint.key == kUnschedulableTaint; });
  node.unschedulable = unschedulable;
  if (unschedulable) node.taints.push_back({kUnschedulableTaint, "", "NoSchedule"});
}

std::string NodeMaker::name(uint64_t number) { return fmt::format("node-{:06}", number); }

uint32_t NodeMaker::shape(uint64_t number) const {
  uint64_t weights = 0;
  for (uint32_t i = 0; i < cluster_.shapes.size(); ++i) {
    const NodeShape& shape = cluster_.shapes[i];
    if (number < shape.count) return i;
    number -= shape.count;
    weights += shape.weight;
  }
  uint64_t at = below(drawn(seed_, For::kShape, 0, number), weights);
  uint32_t i = 0;
  for (; at >= cluster_.shapes[i].weight; ++i) at -= cluster_.shapes[i].weight;
  return i;
}

model::Node NodeMaker::make(uint64_t number) const {
  const NodeShape& shape = cluster_.shapes[this->shape(number)];
  model::Node node;
  node.name = name(number);
  node.labels = shape.labels;
  node.annotations = shape.annotations;
  node.taints = shape.taints;
  node.allocatable = shape.allocatable;
  const uint64_t zone = this->zone(number);
  const std::string& zone_name = cluster_.zones[zone];
  const auto label = [&](const char* key, const std::string& value) {
    set_label(node.labels, key, value);
  };
  label("kubernetes.io/arch", "amd64");
  label(model::kHostnameLabel, node.name);
  label("kubernetes.io/os", "linux");
  label("node.kubernetes.io/instance-type", shape.name);
  label("topology.kubernetes.io/region", cluster_.region);
  label("topology.kubernetes.io/zone", zone_name);
  if (cluster_.racks != 0) {
    const uint64_t rack = number / cluster_.zones.size() % cluster_.racks;
    label("topology.kubernetes.io/rack", fmt::format("{}-rack-{}", zone_name, rack));
  }
  for (uint32_t i = 0; i < cluster_.images.size(); ++i) {
    const ImageSpec& image = cluster_.images[i];
    const uint64_t bits = drawn(seed_, For::kImage, i, number);
    if (image.share == UINT64_MAX || bits < image.share)
      node.images.push_back({{image.name}, image.bytes});
  }
  const uint64_t bits = drawn(seed_, For::kUnschedulable, 0, number);
  if (shape.unschedulable == UINT64_MAX || bits < shape.unschedulable)
    set_unschedulable(node, true);
  return node;
}

std::optional<model::ControllerObject> NodeMaker::system(uint64_t number) const {
  const uint32_t of = shape(number);
  const std::optional<Distribution>& memory = cluster_.shapes[of].system_memory;
  if (!memory) return std::nullopt;
  const int64_t bytes = memory->draw(drawn(seed_, For::kSystem, of, number)) / 1000;
  return model::ControllerObject{
      .kind = "NodeMetrics",
      .name = name(number),
      .namespace_name = {},
      .json = fmt::format(R"({{"apiVersion":"metrics.k8s.io/v1beta1","kind":"NodeMetrics",)"
                          R"("metadata":{{"name":"{}","annotations":{{"berth/beside-pods":)"
                          R"("true"}}}},"usage":{{"memory":"{}"}}}})",
                          name(number), bytes),
      .data = nullptr};
}

}  // namespace berth::loadgen
