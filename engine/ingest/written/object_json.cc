#include "engine/ingest/written/object_json.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "engine/base/text/go_duration.h"
#include "engine/ingest/objects/decode/container_run.h"
#include "engine/ingest/objects/decode/deletion_cost.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/written/json_parts.h"
#include "engine/model/objects/qos_class.h"

namespace berth::ingest {

void string_map(JsonWriter& json, std::string_view name, const model::StringMap& map) {
  json.object(name, [&] {
    for (const auto& [k, v] : map) json.member(k, v);
  });
}

void resources(JsonWriter& json, std::string_view name, const model::ResourceList& list) {
  json.object(name, [&] {
    for (const auto& [k, v] : list) json.member(k, v.to_string());
  });
}

namespace {

// Ports of the node alone: others need a number of the container's, which is not kept.
void ports(JsonWriter& json, std::vector<model::ContainerPort> list) {
  std::erase_if(list, [](const model::ContainerPort& port) { return port.host_port == 0; });
  json.array_if("ports", list, [&](const model::ContainerPort& port) {
    json.object([&] {
      // That of the container is required, and scheduling does not read it.
      json.member("containerPort", port.host_port);
      json.member("hostPort", port.host_port);
      json.member_if("hostIP", port.host_ip);
      json.member_if("protocol", port.protocol);
    });
  });
}

// The exit codes of the rule are not kept.
void restart_rules(JsonWriter& json) {
  json.array("restartPolicyRules", std::initializer_list<std::string_view>{"RestartAllContainers"},
             [&](std::string_view action) { json.object([&] { json.member("action", action); }); });
}

void container(JsonWriter& json, const model::Container& c) {
  json.object([&] {
    json.member("name", c.name);
    json.member_if("image", c.image);
    ports(json, c.ports);
    if (c.restart_always) json.member("restartPolicy", "Always");
    if (c.restart_all) restart_rules(json);
    if (c.requests.empty() && c.limits.empty()) return;
    json.object("resources", [&] {
      if (!c.requests.empty()) resources(json, "requests", c.requests);
      if (!c.limits.empty()) resources(json, "limits", c.limits);
    });
  });
}

void amount_of_pods(JsonWriter& json, std::string_view name,
                    const std::optional<model::PodAmount>& pods) {
  if (!pods) return;
  if (pods->percent)
    json.member(name, fmt::format("{}%", pods->number));
  else
    json.member(name, pods->number);
}

void toleration(JsonWriter& json, const model::Toleration& t) {
  json.object([&] {
    json.member_if("key", t.key);
    json.member_if("operator", t.op);
    json.member_if("value", t.value);
    json.member_if("effect", t.effect);
    if (t.seconds) json.member("tolerationSeconds", *t.seconds);
  });
}

void pod_annotations(JsonWriter& json, const model::PodSpec& spec) {
  if (!spec.run && !spec.mirror && spec.deletion_cost == 0) return;
  json.object("annotations", [&] {
    if (spec.mirror) json.member("kubernetes.io/config.mirror", "true");
    if (spec.deletion_cost != 0) json.member(kDeletionCost, std::to_string(spec.deletion_cost));
    if (!spec.run) return;
    json.member(kRunsFor, go_duration(std::chrono::nanoseconds(spec.run->nanoseconds)));
    if (spec.run->exit_code != 0) json.member(kExitCode, std::to_string(spec.run->exit_code));
  });
}

void pod_metadata(JsonWriter& json, const model::Pod& pod) {
  json.object("metadata", [&] {
    json.member("namespace", pod.namespace_name);
    json.member("name", pod.name);
    json.member_if("uid", pod.uid);
    if (!pod.spec.labels.empty()) string_map(json, "labels", pod.spec.labels);
    pod_annotations(json, pod.spec);
    if (pod.created_at != 0) json.member("creationTimestamp", time_text(pod.created_at));
    if (pod.terminating) json.member("deletionTimestamp", kSomeTime);
    if (pod.controller)
      json.array("ownerReferences", std::initializer_list<model::Controller>{*pod.controller},
                 [&](const model::Controller& owner) {
                   json.object([&] {
                     json.member("apiVersion", owner.api_version);
                     json.member("kind", owner.kind);
                     json.member("name", owner.name);
                     json.member("uid", owner.uid);
                     json.member("controller", true);
                   });
                 });
  });
}

void pod_spec(JsonWriter& json, const model::PodSpec& spec) {
  const auto each_container = [&](const model::Container& c) { container(json, c); };
  json.object("spec", [&] {
    json.member_if("schedulerName", spec.scheduler_name);
    json.member_if("nodeName", spec.node_name);
    if (spec.priority) json.member("priority", *spec.priority);
    json.member_if("preemptionPolicy", spec.preemption_policy);
    if (spec.has_node_selector) string_map(json, "nodeSelector", spec.node_selector);
    affinity(json, spec.affinity);
    json.array_if("tolerations", spec.tolerations,
                  [&](const model::Toleration& t) { toleration(json, t); });
    json.array_if("topologySpreadConstraints", spec.topology_spread_constraints,
                  [&](const model::TopologySpreadConstraint& c) { spread(json, c); });
    json.array_if("schedulingGates", spec.scheduling_gates, [&](const std::string& gate) {
      json.object([&] { json.member("name", gate); });
    });
    if (spec.termination_grace_seconds)
      json.member("terminationGracePeriodSeconds", *spec.termination_grace_seconds);
    json.array_if("initContainers", spec.init_containers, each_container);
    json.array("containers", spec.containers, each_container);
    pod_volumes(json, spec.volumes, spec.empty_dir);
    if (!spec.overhead.empty()) resources(json, "overhead", spec.overhead);
    if (spec.host_user_namespace) {
      json.member("hostNetwork", true);
      json.member("hostUsers", false);
    }
    if (!spec.os.empty()) json.object("os", [&] { json.member("name", spec.os); });
    if (spec.strict_supplemental_groups)
      json.object("securityContext", [&] { json.member("supplementalGroupsPolicy", "Strict"); });
    if (spec.has_pod_resources)
      json.object("resources", [&] { resources(json, "requests", spec.pod_requests); });
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

struct PodCondition {
  std::string_view type, status, reason;
};

void pod_conditions(JsonWriter& json, const model::Pod& pod) {
  std::vector<PodCondition> conditions;
  if (pod.ready != model::PodReady::kNotTold)
    conditions.push_back({"Ready", pod.ready == model::PodReady::kTrue ? "True" : "False", ""});
  if (pod.spec.resize_infeasible) conditions.push_back({"PodResizePending", "True", "Infeasible"});
  if (pod.preempted) conditions.push_back({"DisruptionTarget", "True", "PreemptionByScheduler"});
  json.array_if("conditions", conditions, [&](const PodCondition& condition) {
    json.object([&] {
      json.member("type", condition.type);
      json.member("status", condition.status);
      json.member_if("reason", condition.reason);
    });
  });
}

// Of a container, or of the pod itself.
void status_resources(JsonWriter& json, const model::ContainerStatus& status) {
  if (status.has_resources)
    json.object("resources", [&] { resources(json, "requests", status.requests); });
  if (!status.allocated_resources.empty())
    resources(json, "allocatedResources", status.allocated_resources);
}

void pod_status(JsonWriter& json, const model::Pod& pod) {
  const bool said = pod.phase != model::PodPhase::kUnknown || !pod.nominated_node_name.empty() ||
                    !pod.spec.container_statuses.empty() || pod.spec.resize_infeasible ||
                    pod.spec.own_status.has_resources || pod.preempted || pod.started_at ||
                    pod.ready != model::PodReady::kNotTold || pod.spec.qos_class;
  if (!said) return;
  json.object("status", [&] {
    json.member_if("phase", phase_name(pod.phase));
    json.member_if("nominatedNodeName", pod.nominated_node_name);
    if (pod.spec.qos_class) json.member("qosClass", model::qos_class_name(*pod.spec.qos_class));
    json.array_if("containerStatuses", pod.spec.container_statuses,
                  [&](const model::ContainerStatus& status) {
                    json.object([&] {
                      json.member("name", status.name);
                      status_resources(json, status);
                    });
                  });
    status_resources(json, pod.spec.own_status);
    if (pod.started_at) json.member("startTime", time_text(*pod.started_at));
    pod_conditions(json, pod);
  });
}

template <typename Write>
void write_object(std::string_view api_version, std::string_view kind, std::string& out,
                  Write&& write) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.object([&] {
    json.member("apiVersion", api_version);
    json.member("kind", kind);
    write(json);
  });
  out.append(buffer.GetString(), buffer.GetSize());
}

std::string_view api_version_of(model::SelectorOwnerKind kind) {
  const bool core = kind == model::SelectorOwnerKind::kService ||
                    kind == model::SelectorOwnerKind::kReplicationController;
  return core ? "v1" : "apps/v1";
}

}  // namespace

// RFC 3339 in UTC, as fine as needed.
std::string time_text(int64_t nanoseconds) {
  namespace chrono = std::chrono;
  const chrono::sys_time<chrono::nanoseconds> at{chrono::nanoseconds(nanoseconds)};
  const auto day = chrono::floor<chrono::days>(at);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss time(at - day);
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", int(date.year()),
                                 unsigned(date.month()), unsigned(date.day()), time.hours().count(),
                                 time.minutes().count(), time.seconds().count());
  if (const auto rest = time.subseconds().count(); rest != 0) text += fmt::format(".{:09}", rest);
  return text + "Z";
}

void append_json_text(std::string_view value, std::string& out) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.text(value);
  out.append(buffer.GetString(), buffer.GetSize());
}

void append(const model::Node& node, std::string& out) {
  write_object("v1", "Node", out, [&](JsonWriter& json) {
    json.object("metadata", [&] {
      json.member("name", node.name);
      string_map(json, "labels", node.labels);
      if (!node.annotations.empty()) string_map(json, "annotations", node.annotations);
    });
    json.object("spec", [&] {
      if (node.unschedulable) json.member("unschedulable", true);
      json.array_if("taints", node.taints, [&](const model::Taint& taint) {
        json.object([&] {
          json.member("key", taint.key);
          json.member_if("value", taint.value);
          json.member("effect", taint.effect);
        });
      });
    });
    json.object("status", [&] {
      resources(json, "capacity", node.capacity.empty() ? node.allocatable : node.capacity);
      resources(json, "allocatable", node.allocatable);
      json.array_if("conditions", node.conditions, [&](const model::NodeCondition& condition) {
        json.object([&] {
          json.member("type", condition.type);
          json.member("status", condition.status);
        });
      });
      json.texts_if("declaredFeatures", node.declared_features);
      if (node.supplemental_groups_policy)
        json.object("features", [&] { json.member("supplementalGroupsPolicy", true); });
      json.array_if("images", node.images, [&](const model::NodeImage& image) {
        json.object([&] {
          json.texts_if("names", image.names);
          json.member("sizeBytes", image.size_bytes);
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
    json.object("metadata", [&] {
      json.member("name", object_.name);
      string_map(json, "labels", object_.labels);
    });
  });
}

void append(const model::SelectorOwner& owner, std::string& out) {
  write_object(api_version_of(owner.kind), model::kind_of(owner.kind), out, [&](JsonWriter& json) {
    json.object("metadata", [&] {
      json.member("namespace", owner.namespace_name);
      json.member("name", owner.name);
    });
    json.object("spec", [&] {
      if (!owner.selector) return;
      // In the core group the selector is a plain map of labels.
      if (api_version_of(owner.kind) == "v1") {
        string_map(json, "selector", owner.selector->match_labels);
      } else {
        label_selector(json, "selector", owner.selector);
      }
    });
  });
}

void append(const model::DisruptionBudget& budget, std::string& out) {
  write_object("policy/v1", ingest::kDisruptionBudget, out, [&](JsonWriter& json) {
    json.object("metadata", [&] {
      json.member("namespace", budget.namespace_name);
      json.member("name", budget.name);
    });
    json.object("spec", [&] {
      if (budget.selector) label_selector(json, "selector", budget.selector);
      amount_of_pods(json, "minAvailable", budget.min_available);
      amount_of_pods(json, "maxUnavailable", budget.max_unavailable);
      if (budget.unhealthy_pods == model::UnhealthyPods::kAlwaysAllow)
        json.member("unhealthyPodEvictionPolicy", "AlwaysAllow");
    });
    if (budget.without_status) return;
    json.object("status", [&] {
      json.member("disruptionsAllowed", budget.disruptions_allowed);
      if (budget.disrupted_pods.empty()) return;
      json.object("disruptedPods", [&] {
        for (const std::string& pod : budget.disrupted_pods) json.member(pod, kSomeTime);
      });
    });
  });
}

void append(const model::EvictionRequest& request, std::string& out) {
  write_object("policy/v1", model::kind_of(request), out, [&](JsonWriter& json) {
    json.object("metadata", [&] {
      json.member("namespace", request.namespace_name);
      json.member("name", request.name);
    });
    json.object("deleteOptions", [&] {
      if (request.grace_seconds) json.member("gracePeriodSeconds", *request.grace_seconds);
      if (request.dry_run) json.texts("dryRun", std::array<std::string_view, 1>{"All"});
      if (!request.uid && !request.resource_version) return;
      json.object("preconditions", [&] {
        if (request.uid) json.member("uid", *request.uid);
        if (request.resource_version) json.member("resourceVersion", *request.resource_version);
      });
    });
  });
}

void append(const model::ControllerObject& object, std::string& out) { out += object.json; }

void append(const model::TemplatePod& pod, std::string& out) { append(pod.pod(), out); }

void append(const model::Object& object, std::string& out) {
  std::visit([&](const auto& one) { append(one, out); }, object);
}

}  // namespace berth::ingest
