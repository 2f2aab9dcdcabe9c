#include "loadgen/object_json.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace berth::loadgen {
namespace {

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void text(Writer& json, std::string_view value) {
  json.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
}
void key(Writer& json, std::string_view name) { text(json, name); }
void member(Writer& json, std::string_view name, std::string_view value) {
  key(json, name);
  text(json, value);
}
void member_if(Writer& json, std::string_view name, std::string_view value) {
  if (!value.empty()) member(json, name, value);
}

template <typename Write>
void object(Writer& json, std::string_view name, Write&& write) {
  key(json, name);
  json.StartObject();
  write();
  json.EndObject();
}

template <typename List, typename Write>
void array(Writer& json, std::string_view name, const List& list, Write&& write) {
  key(json, name);
  json.StartArray();
  for (const auto& element : list) write(element);
  json.EndArray();
}

void string_map(Writer& json, std::string_view name, const model::StringMap& map) {
  object(json, name, [&] {
    for (const auto& [k, v] : map) member(json, k, v);
  });
}

void resources(Writer& json, std::string_view name, const model::ResourceList& list) {
  object(json, name, [&] {
    for (const auto& [k, v] : list) member(json, k, v.to_string());
  });
}

void requirements(Writer& json, std::string_view name,
                  const std::vector<model::Requirement>& list) {
  if (list.empty()) return;
  array(json, name, list, [&](const model::Requirement& r) {
    json.StartObject();
    member(json, "key", r.key);
    member(json, "operator", r.op);
    if (!r.values.empty())
      array(json, "values", r.values, [&](const std::string& value) { text(json, value); });
    json.EndObject();
  });
}

void term(Writer& json, const model::NodeSelectorTerm& t) {
  json.StartObject();
  requirements(json, "matchExpressions", t.match_expressions);
  requirements(json, "matchFields", t.match_fields);
  json.EndObject();
}

void node_affinity(Writer& json, const model::Affinity& affinity) {
  if (!affinity.node_required && affinity.node_preferred.empty()) return;
  object(json, "affinity", [&] {
    object(json, "nodeAffinity", [&] {
      if (affinity.node_required)
        object(json, "requiredDuringSchedulingIgnoredDuringExecution", [&] {
          array(json, "nodeSelectorTerms", affinity.node_required->terms,
                [&](const model::NodeSelectorTerm& t) { term(json, t); });
        });
      if (!affinity.node_preferred.empty())
        array(json, "preferredDuringSchedulingIgnoredDuringExecution", affinity.node_preferred,
              [&](const model::PreferredSchedulingTerm& t) {
                json.StartObject();
                key(json, "weight");
                json.Int(t.weight);
                key(json, "preference");
                term(json, t.preference);
                json.EndObject();
              });
    });
  });
}

void container(Writer& json, const model::Container& c) {
  json.StartObject();
  member(json, "name", c.name);
  member(json, "image", c.image);
  if (!c.ports.empty())
    array(json, "ports", c.ports, [&](const model::ContainerPort& port) {
      json.StartObject();
      key(json, "containerPort");
      json.Int(port.host_port);
      key(json, "hostPort");
      json.Int(port.host_port);
      member_if(json, "hostIP", port.host_ip);
      member_if(json, "protocol", port.protocol);
      json.EndObject();
    });
  object(json, "resources", [&] { resources(json, "requests", c.requests); });
  json.EndObject();
}

void finish(const rapidjson::StringBuffer& buffer, bool first, std::string& out) {
  out += first ? "\n" : ",\n";
  out.append(buffer.GetString(), buffer.GetSize());
}

}  // namespace

void begin_list(std::string_view note, std::string& out) {
  rapidjson::StringBuffer buffer;
  Writer json(buffer);
  text(json, note);
  out += "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{\"annotations\":{\"berth/load\":";
  out.append(buffer.GetString(), buffer.GetSize());
  out += "}},\"items\":[";
}

void end_list(std::string& out) { out += "\n]}\n"; }

void append_node(const model::Node& node, bool first, std::string& out) {
  rapidjson::StringBuffer buffer;
  Writer json(buffer);
  json.StartObject();
  member(json, "apiVersion", "v1");
  member(json, "kind", "Node");
  object(json, "metadata", [&] {
    member(json, "name", node.name);
    string_map(json, "labels", node.labels);
  });
  object(json, "spec", [&] {
    if (node.unschedulable) {
      key(json, "unschedulable");
      json.Bool(true);
    }
    if (!node.taints.empty())
      array(json, "taints", node.taints, [&](const model::Taint& taint) {
        json.StartObject();
        member(json, "key", taint.key);
        member_if(json, "value", taint.value);
        member(json, "effect", taint.effect);
        json.EndObject();
      });
  });
  object(json, "status", [&] {
    resources(json, "capacity", node.allocatable);
    resources(json, "allocatable", node.allocatable);
    array(json, "images", node.images, [&](const model::NodeImage& image) {
      json.StartObject();
      array(json, "names", image.names, [&](const std::string& name) { text(json, name); });
      key(json, "sizeBytes");
      json.Int64(image.size_bytes);
      json.EndObject();
    });
  });
  json.EndObject();
  finish(buffer, first, out);
}

void append_pod(const model::Pod& pod, bool first, std::string& out) {
  rapidjson::StringBuffer buffer;
  Writer json(buffer);
  json.StartObject();
  member(json, "apiVersion", "v1");
  member(json, "kind", "Pod");
  object(json, "metadata", [&] {
    member(json, "namespace", pod.namespace_name);
    member(json, "name", pod.name);
    member_if(json, "uid", pod.uid);
    string_map(json, "labels", pod.spec.labels);
  });
  object(json, "spec", [&] {
    member_if(json, "schedulerName", pod.spec.scheduler_name);
    if (pod.spec.priority) {
      key(json, "priority");
      json.Int(*pod.spec.priority);
    }
    if (pod.spec.has_node_selector) string_map(json, "nodeSelector", pod.spec.node_selector);
    node_affinity(json, pod.spec.affinity);
    if (!pod.spec.tolerations.empty())
      array(json, "tolerations", pod.spec.tolerations, [&](const model::Toleration& t) {
        json.StartObject();
        member_if(json, "key", t.key);
        member_if(json, "operator", t.op);
        member_if(json, "value", t.value);
        member_if(json, "effect", t.effect);
        json.EndObject();
      });
    array(json, "containers", pod.spec.containers,
          [&](const model::Container& c) { container(json, c); });
  });
  json.EndObject();
  finish(buffer, first, out);
}

}  // namespace berth::loadgen
