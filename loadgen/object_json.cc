#include "loadgen/object_json.h"

#include "engine/ingest/objects.h"
#include "loadgen/json_writer.h"

namespace berth::loadgen {

void texts_if(JsonWriter& json, std::string_view name, const std::vector<std::string>& list) {
  array_if(json, name, list, [&](const std::string& value) { text(json, value); });
}

void string_map(JsonWriter& json, std::string_view name, const model::StringMap& map) {
  object(json, name, [&] {
    for (const auto& [k, v] : map) member(json, k, v);
  });
}

void resources(JsonWriter& json, std::string_view name, const model::ResourceList& list) {
  object(json, name, [&] {
    for (const auto& [k, v] : list) member(json, k, v.to_string());
  });
}

namespace {

void ports(JsonWriter& json, const std::vector<model::ContainerPort>& list) {
  array_if(json, "ports", list, [&](const model::ContainerPort& port) {
    object(json, [&] {
      // Which port of the container it is does not matter to scheduling, but has to be said.
      if (port.host_port != 0) number(json, "containerPort", port.host_port);
      if (port.host_port != 0) number(json, "hostPort", port.host_port);
      member_if(json, "hostIP", port.host_ip);
      member_if(json, "protocol", port.protocol);
    });
  });
}

void container(JsonWriter& json, const model::Container& c) {
  object(json, [&] {
    member(json, "name", c.name);
    member_if(json, "image", c.image);
    ports(json, c.ports);
    if (c.restart_always) member(json, "restartPolicy", "Always");
    if (!c.requests.empty())
      object(json, "resources", [&] { resources(json, "requests", c.requests); });
  });
}

void toleration(JsonWriter& json, const model::Toleration& t) {
  object(json, [&] {
    member_if(json, "key", t.key);
    member_if(json, "operator", t.op);
    member_if(json, "value", t.value);
    member_if(json, "effect", t.effect);
  });
}

void pod_metadata(JsonWriter& json, const model::Pod& pod) {
  object(json, "metadata", [&] {
    member(json, "namespace", pod.namespace_name);
    member(json, "name", pod.name);
    member_if(json, "uid", pod.uid);
    if (!pod.spec.labels.empty()) string_map(json, "labels", pod.spec.labels);
    if (pod.terminating) member(json, "deletionTimestamp", "1970-01-01T00:00:00Z");
    if (pod.controller)
      array(json, "ownerReferences", std::initializer_list<model::Controller>{*pod.controller},
            [&](const model::Controller& owner) {
              object(json, [&] {
                member(json, "apiVersion", owner.api_version);
                member(json, "kind", owner.kind);
                member(json, "name", owner.name);
                member(json, "uid", owner.uid);
                flag(json, "controller", true);
              });
            });
  });
}

void pod_spec(JsonWriter& json, const model::PodSpec& spec) {
  const auto each_container = [&](const model::Container& c) { container(json, c); };
  object(json, "spec", [&] {
    member_if(json, "schedulerName", spec.scheduler_name);
    member_if(json, "nodeName", spec.node_name);
    if (spec.priority) number(json, "priority", *spec.priority);
    member_if(json, "preemptionPolicy", spec.preemption_policy);
    if (spec.has_node_selector) string_map(json, "nodeSelector", spec.node_selector);
    affinity(json, spec.affinity);
    array_if(json, "tolerations", spec.tolerations,
             [&](const model::Toleration& t) { toleration(json, t); });
    array_if(json, "topologySpreadConstraints", spec.topology_spread_constraints,
             [&](const model::TopologySpreadConstraint& c) { spread(json, c); });
    array_if(json, "schedulingGates", spec.scheduling_gates,
             [&](const std::string& gate) { object(json, [&] { member(json, "name", gate); }); });
    array_if(json, "initContainers", spec.init_containers, each_container);
    array(json, "containers", spec.containers, each_container);
    if (!spec.overhead.empty()) resources(json, "overhead", spec.overhead);
    if (spec.has_pod_resources)
      object(json, "resources", [&] { resources(json, "requests", spec.pod_requests); });
  });
}

std::string_view phase_name(model::PodPhase phase) {
  switch (phase) {
    case model::PodPhase::kUnknown:
      return {};
    case model::PodPhase::kPending:
      return "Pending";
    case model::PodPhase::kRunning:
      return "Running";
    case model::PodPhase::kSucceeded:
      return "Succeeded";
    case model::PodPhase::kFailed:
      return "Failed";
  }
  return {};
}

void pod_status(JsonWriter& json, const model::Pod& pod) {
  const bool said = pod.phase != model::PodPhase::kUnknown || !pod.nominated_node_name.empty() ||
                    !pod.spec.container_statuses.empty() || pod.spec.resize_infeasible;
  if (!said) return;
  object(json, "status", [&] {
    member_if(json, "phase", phase_name(pod.phase));
    member_if(json, "nominatedNodeName", pod.nominated_node_name);
    array_if(json, "containerStatuses", pod.spec.container_statuses,
             [&](const model::ContainerStatus& status) {
               object(json, [&] {
                 member(json, "name", status.name);
                 if (status.has_resources)
                   object(json, "resources", [&] { resources(json, "requests", status.requests); });
                 if (!status.allocated_resources.empty())
                   resources(json, "allocatedResources", status.allocated_resources);
               });
             });
    if (pod.spec.resize_infeasible)
      array(json, "conditions", std::initializer_list<int>{0}, [&](int) {
        object(json, [&] {
          member(json, "type", "PodResizePending");
          member(json, "reason", "Infeasible");
        });
      });
  });
}

template <typename Write>
void write_object(std::string_view api_version, std::string_view kind, std::string& out,
                  Write&& write) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  object(json, [&] {
    member(json, "apiVersion", api_version);
    member(json, "kind", kind);
    write(json);
  });
  out.append(buffer.GetString(), buffer.GetSize());
}

std::string_view api_version_of(model::PodSetKind kind) {
  const bool core =
      kind == model::PodSetKind::kService || kind == model::PodSetKind::kReplicationController;
  return core ? "v1" : "apps/v1";
}

}  // namespace

void append_json_text(std::string_view value, std::string& out) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  text(json, value);
  out.append(buffer.GetString(), buffer.GetSize());
}

void append(const model::Node& node, std::string& out) {
  write_object("v1", "Node", out, [&](JsonWriter& json) {
    object(json, "metadata", [&] {
      member(json, "name", node.name);
      string_map(json, "labels", node.labels);
      if (!node.annotations.empty()) string_map(json, "annotations", node.annotations);
    });
    object(json, "spec", [&] {
      if (node.unschedulable) flag(json, "unschedulable", true);
      array_if(json, "taints", node.taints, [&](const model::Taint& taint) {
        object(json, [&] {
          member(json, "key", taint.key);
          member_if(json, "value", taint.value);
          member(json, "effect", taint.effect);
        });
      });
    });
    object(json, "status", [&] {
      resources(json, "capacity", node.allocatable);
      resources(json, "allocatable", node.allocatable);
      array_if(json, "images", node.images, [&](const model::NodeImage& image) {
        object(json, [&] {
          texts_if(json, "names", image.names);
          number(json, "sizeBytes", image.size_bytes);
        });
      });
    });
  });
}

void append(const model::Pod& pod, std::string& out) {
  write_object("v1", "Pod", out, [&](JsonWriter& json) {
    pod_metadata(json, pod);
    pod_spec(json, pod.spec);
    pod_status(json, pod);
  });
}

void append(const model::Namespace& object_, std::string& out) {
  write_object("v1", "Namespace", out, [&](JsonWriter& json) {
    object(json, "metadata", [&] {
      member(json, "name", object_.name);
      string_map(json, "labels", object_.labels);
    });
  });
}

void append(const model::PodSet& set, std::string& out) {
  write_object(api_version_of(set.kind), ingest::pod_set_kind_name(set.kind), out,
               [&](JsonWriter& json) {
                 object(json, "metadata", [&] {
                   member(json, "namespace", set.namespace_name);
                   member(json, "name", set.name);
                 });
                 object(json, "spec", [&] {
                   if (!set.selector) return;
                   // Those of the core group have a map of labels there.
                   if (api_version_of(set.kind) == "v1") {
                     string_map(json, "selector", set.selector->match_labels);
                   } else {
                     label_selector(json, "selector", set.selector);
                   }
                 });
               });
}

}  // namespace berth::loadgen
