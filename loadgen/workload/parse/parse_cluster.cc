// Parses `cluster`, `namespaces` and `churn`.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/ingest/objects/objects.h"
#include "loadgen/generate/names.h"
#include "loadgen/workload/parse/parse_distribution.h"
#include "loadgen/workload/parse/parse_parts.h"

namespace berth::loadgen {
namespace {

using document::Kind;
using document::Value;

constexpr int64_t kMilliBytes = 1000;
constexpr uint64_t kMostNodes = 10'000'000;
constexpr uint64_t kMostZones = 10'000;
constexpr uint64_t kMostNamespaces = 1'000'000;

}  // namespace

uint64_t share_of(double share) {
  if (share >= 1) return UINT64_MAX;
  return static_cast<uint64_t>(std::ldexp(share, 64));
}

std::optional<Distribution> WorkloadParser::distribution(Fields& in, std::string_view name,
                                                         Unit unit, int64_t low, int64_t high) {
  const Value value = in.at(name);
  if (!value.present()) return std::nullopt;
  return parse_distribution(value, unit, context_, low, high);
}

// The JSON of `allocatable`, with parameters replaced.
std::string WorkloadParser::allocatable_json(Value allocatable) {
  if (!allocatable.is(Kind::kObject)) return document::to_json(allocatable);
  std::string text;
  for (const document::Member member : allocatable.members()) {
    text += text.empty() ? '{' : ',';
    document::append_json_string(member.key, text);
    text += ':';
    std::optional<std::string> amount;
    if (member.value.is(Kind::kString) && member.value.as_string().starts_with('$'))
      amount = context_.scalar(member.value, "an amount");
    if (amount)
      document::append_json_string(*amount, text);
    else
      document::append_json(member.value, text);
  }
  return text.empty() ? "{}" : text + "}";
}

// Decodes labels, annotations, taints and allocatable by wrapping them in a Node, so that the same
// checks apply.
std::optional<model::Node> WorkloadParser::node_parts(Fields& shape) {
  std::string text = "{\"metadata\":{\"name\":\"shape\"";
  const auto append = [&](const char* before, std::string_view name) {
    const Value value = shape.at(name);
    if (!value.present()) return;
    text += fmt::format("{}\"{}\":{}", before, name, document::to_json(value));
  };
  append(",", "labels");
  append(",", "annotations");
  text += "},\"spec\":{";
  append("", "taints");
  text += "},\"status\":{";
  if (const Value allocatable = shape.at("allocatable"); allocatable.present())
    text += "\"allocatable\":" + allocatable_json(allocatable);
  text += "}}";
  Diagnostics found;
  const document::Document document = document::Document::parse(text, "", found);
  if (document.roots().empty()) return std::nullopt;
  std::optional<model::Node> node = ingest::decode_node(document.roots()[0], found);
  for (const Error& error : found.kept()) {
    // Report at the field in the workload file: strip the path of the surrounding Node.
    std::string_view path = error.place().field;
    path.remove_prefix(std::min(path.size(), path.find('.') + 1));
    context_.report_path(shape.value(), path, error.message());
  }
  return node;
}

NodeShape WorkloadParser::node_shape(Value value) {
  Fields in(value, context_);
  NodeShape shape;
  shape.name = in.name("name");
  shape.count = in.count("count", 0, kMostNodes, 0);
  shape.weight = in.count("weight", 0, kMostWeight, in.has("count") ? 0 : 1);
  shape.unschedulable = share_of(in.real("unschedulable", 0, 1, 0));
  if (!in.has("allocatable"))
    in.missing("allocatable", "is missing: expected such as {cpu: 4, memory: 16Gi, pods: 110}");
  if (std::optional<model::Node> node = node_parts(in)) {
    shape.allocatable = std::move(node->allocatable);
    shape.labels = std::move(node->labels);
    shape.annotations = std::move(node->annotations);
    shape.taints = std::move(node->taints);
  }
  if (const Value memory = in.at("systemMemory"); memory.present())
    shape.system_memory =
        parse_distribution(memory, Unit::kQuantity, context_, 0, Distribution::kMost, kMilliBytes);
  in.done();
  return shape;
}

ImageSpec WorkloadParser::image(Value value) {
  Fields in(value, context_);
  ImageSpec image;
  image.name = in.text("name");
  if (image.name.empty()) in.missing("name", "an image needs a name");
  if (const Value size = in.at("size"); size.present())
    image.bytes = context_.amount(size, Unit::kQuantity).value_or(0) / 1000;
  image.share = share_of(in.real("share", 0, 1, 1));
  in.done();
  return image;
}

// A number of zones, or a list of their names.
void WorkloadParser::zones(Fields& cluster) {
  const Value value = cluster.at("zones");
  std::vector<std::string>& names = spec_.cluster.zones;
  if (value.is(Kind::kArray)) {
    for (const Value zone : value.elements()) {
      if (zone.is(Kind::kString) && !zone.as_string().empty()) {
        names.emplace_back(zone.as_string());
      } else {
        context_.report(zone, expected("the name of a zone", zone));
      }
    }
    if (names.empty()) context_.report(value, "expected one zone or more, found none");
    return;
  }
  const uint64_t count = cluster.count("zones", 1, kMostZones, 1);
  for (uint64_t i = 0; i < count; ++i) names.push_back(fmt::format("zone-{}", i));
}

void WorkloadParser::cluster(Fields in) {
  ClusterSpec& cluster = spec_.cluster;
  cluster.drawn = in.count("nodes", 0, kMostNodes, 0);
  zones(in);
  cluster.region = in.text("region", "region-0");
  cluster.racks = in.count("racks", 0, kMostZones, 0);
  for (const Value value : in.list("images")) cluster.images.push_back(image(value));
  std::set<std::string> names;
  uint64_t weights = 0;
  for (const Value value : in.list("shapes")) {
    cluster.shapes.push_back(node_shape(value));
    const NodeShape& shape = cluster.shapes.back();
    weights += shape.weight;
    if (!names.insert(shape.name).second)
      context_.report(value, fmt::format("there is a shape \"{}\" already", shape.name));
  }
  if (cluster.drawn != 0 && weights == 0)
    in.missing("shapes", "`nodes` are drawn among the shapes with a weight, and there is none");
  if (cluster.nodes() > kMostNodes)
    context_.report(in.value(), fmt::format("these are {} nodes, and at most {} are possible",
                                            cluster.nodes(), kMostNodes));
  in.done();
}

void WorkloadParser::namespaces(std::vector<Value> list) {
  uint64_t sum = 0;
  NumberedNames names;
  for (const Value value : list) {
    Fields in(value, context_);
    NamespaceSpec space;
    space.name = in.name("name");
    space.count = in.count("count", 1, kMostNamespaces, 1);
    for (const document::Member member : in.members("labels")) {
      if (member.value.is(Kind::kString)) {
        space.labels.emplace_back(member.key, member.value.as_string());
      } else {
        context_.report(member.value, expected("a string", member.value));
      }
    }
    std::ranges::sort(space.labels);
    in.done();
    if (const std::optional<std::string> taken = names.add(space.name, space.count))
      context_.report(value, fmt::format("there is a namespace \"{}\" already", *taken));
    sum += space.count;
    spec_.namespaces.push_back(std::move(space));
  }
  if (sum > kMostNamespaces)
    context_.report(list.back(), fmt::format("these are {} namespaces, and at most {} are possible",
                                             sum, kMostNamespaces));
  if (spec_.namespaces.empty()) spec_.namespaces.push_back({"default", 1, {}});
}

void WorkloadParser::churn_list(Fields& churn, std::string_view name, bool lasting, bool labels,
                                bool of_nodes, std::vector<ChurnSpec>& to) {
  for (const Value value : churn.list(name)) {
    Fields in(value, context_);
    ChurnSpec spec;
    // A shorter interval could keep planned time from advancing.
    if (auto every = distribution(in, "every", Unit::kDuration, kShortestInterval)) {
      spec.every = *every;
    } else if (!in.has("every")) {
      in.missing("every", "is missing: expected a time such as 10s, or a distribution of times");
    }
    if (lasting) {
      spec.lasting = distribution(in, "lasting", Unit::kDuration, kShortestInterval);
      if (!in.has("lasting")) in.missing("lasting", "is missing: expected a time such as 1m");
    }
    if (labels) {
      spec.key = in.text("key");
      if (spec.key.empty()) in.missing("key", "the key of a label is missing");
      for (const Value text : in.list("values")) {
        if (text.is(Kind::kString)) {
          spec.values.emplace_back(text.as_string());
        } else {
          context_.report(text, expected("a string", text));
        }
      }
      if (spec.values.empty()) in.missing("values", "expected one value or more");
    }
    if (&to == &spec_.rolling_drains) spec.options = in.text("options");
    if (of_nodes) {
      for (const Value text : in.list("shapes")) {
        const std::vector<NodeShape>& shapes = spec_.cluster.shapes;
        const auto found = std::ranges::find_if(shapes, [&](const NodeShape& shape) {
          return text.is(Kind::kString) && shape.name == text.as_string();
        });
        if (found == shapes.end()) {
          context_.report(text, expected("the name of a shape of the cluster", text));
        } else {
          spec.shapes.push_back(static_cast<uint32_t>(found - shapes.begin()));
        }
      }
      if (spec_.cluster.nodes() == 0) context_.report(value, "there are no nodes to happen to");
    }
    in.done();
    to.push_back(std::move(spec));
  }
}

void WorkloadParser::churn(Fields in) {
  churn_list(in, "failures", true, false, true, spec_.failures);
  churn_list(in, "drains", true, false, true, spec_.drains);
  churn_list(in, "nodeLabels", false, true, true, spec_.node_labels);
  churn_list(in, "namespaces", true, false, false, spec_.namespaces_come);
  churn_list(in, "namespaceLabels", false, true, false, spec_.namespace_labels);
  churn_list(in, "outages", true, false, true, spec_.outages);
  churn_list(in, "zoneOutages", true, false, true, spec_.zone_outages);
  churn_list(in, "rollingDrains", true, false, true, spec_.rolling_drains);
  check_names_that_come(in.at("namespaces"));
  in.done();
}

void WorkloadParser::check_names_that_come(Value at) {
  NumberedNames names;
  for (const NamespaceSpec& space : spec_.namespaces) names.add(space.name, space.count);
  for (size_t i = 0; i < spec_.namespaces_come.size(); ++i) {
    const std::string name = fmt::format("churn-{}", i);
    if (const std::optional<std::string> taken = names.taken(name, UINT64_MAX))
      context_.report(at, fmt::format("namespaces that come are called {0}-0, {0}-1 and so on, and "
                                      "there is a namespace \"{1}\" already",
                                      name, *taken));
  }
}

}  // namespace berth::loadgen
