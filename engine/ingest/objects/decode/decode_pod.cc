// Decodes v1.Pod.

#include <algorithm>
#include <utility>

#include "engine/ingest/admission/admission.h"
#include "engine/ingest/admission/pods/complete_pod.h"
#include "engine/ingest/admission/pods/default_tolerations.h"
#include "engine/ingest/objects/decode/container_run.h"
#include "engine/ingest/objects/decode/deletion_cost.h"
#include "engine/ingest/objects/fields/affinity_fields.h"
#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/ingest/objects/fields/selector_field.h"
#include "engine/ingest/objects/fields/toleration_field.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/validation/validate_new.h"
#include "engine/ingest/volumes/decode_volumes.h"
#include "engine/ingest/workloads/read_pod.h"
#include "engine/model/objects/pod_requests.h"
#include "engine/model/objects/qos_class.h"

namespace berth::ingest {
namespace {

constexpr int64_t kMostPort = 65535;

void add_missing(model::ResourceList& list, const std::string& name,
                 const model::Quantity& amount) {
  auto less = [](const auto& entry, const std::string& key) { return entry.first < key; };
  auto at = std::lower_bound(list.begin(), list.end(), name, less);
  if (at == list.end() || at->first != name) list.insert(at, {name, amount});
}

model::NodeSelectorTerm node_term(const FieldReader& in) {
  return {read_requirements(in, "matchExpressions"), read_requirements(in, "matchFields")};
}

model::PodAffinityTerm pod_term(const FieldReader& in) {
  model::PodAffinityTerm term;
  term.label_selector = read_label_selector(in, "labelSelector");
  term.namespaces = in.texts("namespaces");
  term.namespace_selector = read_label_selector(in, "namespaceSelector");
  term.topology_key = in.text("topologyKey");
  term.match_label_keys = in.texts("matchLabelKeys");
  term.mismatch_label_keys = in.texts("mismatchLabelKeys");
  return term;
}

std::optional<model::PodAffinity> pod_affinity(const FieldReader& affinity, std::string_view name) {
  if (!affinity.has(name)) return std::nullopt;
  FieldReader in = affinity.object(name);
  model::PodAffinity result;
  in.each(kRequiredTerms,
          [&](const FieldReader& term) { result.required.push_back(pod_term(term)); });
  in.each(kPreferredTerms, [&](const FieldReader& weighted) {
    result.preferred.push_back(
        {weighted.integer32("weight").value_or(0), pod_term(weighted.object("podAffinityTerm"))});
  });
  return result;
}

model::Affinity affinity_of(const FieldReader& spec) {
  FieldReader in = spec.object("affinity");
  FieldReader node = in.object("nodeAffinity");
  model::Affinity affinity;
  if (node.has(kRequiredTerms)) {
    affinity.node_required.emplace();
    node.object(kRequiredTerms).each("nodeSelectorTerms", [&](const FieldReader& term) {
      affinity.node_required->terms.push_back(node_term(term));
    });
  }
  affinity.has_node_preferred = node.has(kPreferredTerms);
  node.each(kPreferredTerms, [&](const FieldReader& weighted) {
    affinity.node_preferred.push_back(
        {weighted.integer32("weight").value_or(0), node_term(weighted.object("preference"))});
  });
  affinity.pod_affinity = pod_affinity(in, "podAffinity");
  affinity.pod_anti_affinity = pod_affinity(in, "podAntiAffinity");
  return affinity;
}

// An API server uses a limit as the request if only the limit is set.
void read_resources(const FieldReader& resources, Defaults defaults, model::Container& container) {
  container.requests = resources.resources("requests", defaults);
  container.limits = resources.resources("limits", defaults);
  if (defaults != Defaults::kApiServer) return;
  for (const auto& [name, limit] : container.limits) add_missing(container.requests, name, limit);
}

model::Container container_of(const FieldReader& in, bool host_network, Defaults defaults) {
  model::Container container;
  container.name = in.text("name");
  container.image = in.text("image");
  read_resources(in.object("resources"), defaults, container);
  container.restart_always = in.text("restartPolicy") == "Always";
  in.each("restartPolicyRules", [&](const FieldReader& rule) {
    if (rule.text("action") == "RestartAllContainers") container.restart_all = true;
  });
  in.each("ports", [&](const FieldReader& port) {
    model::ContainerPort p;
    p.host_ip = port.text("hostIP");
    p.protocol = port.text("protocol");
    p.host_port = static_cast<int32_t>(port.integer("hostPort", 0, kMostPort).value_or(0));
    int64_t own = port.integer("containerPort", 0, kMostPort).value_or(0);
    if (defaults == Defaults::kApiServer && host_network && p.host_port == 0)
      p.host_port = static_cast<int32_t>(own);
    container.ports.push_back(std::move(p));
  });
  return container;
}

model::ContainerStatus status_of(const FieldReader& in, Defaults defaults) {
  model::ContainerStatus status;
  status.has_resources = in.has("resources");
  status.requests = in.object("resources").resources("requests", defaults);
  status.allocated_resources = in.resources("allocatedResources", defaults);
  return status;
}

void read_statuses(const FieldReader& status, std::string_view name, Defaults defaults,
                   model::PodSpec& spec) {
  status.each(name, [&](const FieldReader& in) {
    model::ContainerStatus container = status_of(in, defaults);
    container.name = in.text("name");
    // Statuses without resources cannot reflect a resize.
    if (container.has_resources) spec.container_statuses.push_back(std::move(container));
  });
}

void read_scheduling(const FieldReader& in, model::PodSpec& spec) {
  spec.scheduler_name = in.text("schedulerName");
  spec.node_name = in.text("nodeName");
  spec.priority = in.integer32("priority");
  spec.preemption_policy = in.text("preemptionPolicy");
  spec.has_node_selector = in.has("nodeSelector");
  spec.node_selector = in.string_map("nodeSelector");
  spec.affinity = affinity_of(in);
  spec.tolerations = read_tolerations(in, "tolerations");
  in.each("topologySpreadConstraints", [&](const FieldReader& c) {
    model::TopologySpreadConstraint constraint;
    constraint.max_skew = c.integer32("maxSkew").value_or(0);
    constraint.topology_key = c.text("topologyKey");
    constraint.when_unsatisfiable = c.text("whenUnsatisfiable");
    constraint.label_selector = read_label_selector(c, "labelSelector");
    constraint.min_domains = c.integer32("minDomains");
    constraint.node_affinity_policy = c.text("nodeAffinityPolicy");
    constraint.node_taints_policy = c.text("nodeTaintsPolicy");
    constraint.match_label_keys = c.texts("matchLabelKeys");
    spec.topology_spread_constraints.push_back(std::move(constraint));
  });
  in.each("schedulingGates",
          [&](const FieldReader& gate) { spec.scheduling_gates.push_back(gate.text("name")); });
}

bool is_hugepages(const std::string& resource) { return resource.starts_with("hugepages-"); }
bool may_be_overcommitted(const std::string& resource) {
  return resource == "cpu" || resource == "memory";
}

// For pods with limits at pod level, an API server sets the pod-level requests to those of the
// containers, or to the limits where the containers have none.
void default_pod_requests(const model::ResourceList& limits, model::PodSpec& spec) {
  if (limits.empty()) return;
  model::PodSpec containers;
  containers.init_containers = spec.init_containers;
  containers.containers = spec.containers;
  for (const auto& [name, amount] : model::pod_requests(containers).requests) {
    if (may_be_overcommitted(name)) add_missing(spec.pod_requests, name, amount);
  }
  for (const auto& [name, limit] : limits) {
    if (may_be_overcommitted(name) || is_hugepages(name)) {
      add_missing(spec.pod_requests, name, limit);
    }
  }
}

// A class is kept only where the spec does not say it, so that pods that differ in their statuses
// alone share a template.
void note_qos_class(model::QosClass told, model::PodSpec& spec) {
  spec.qos_class.reset();
  if (told != model::computed_qos_class(spec)) spec.qos_class = told;
}

// Negative values occur: an API server takes them as 1.
void read_grace(const FieldReader& in, model::PodSpec& spec) {
  const std::optional<int32_t> seconds = in.integer32("terminationGracePeriodSeconds");
  if (seconds) spec.termination_grace_seconds = *seconds < 0 ? 1 : *seconds;
}

void read_resources(const FieldReader& in, model::PodSpec& spec, Defaults defaults) {
  bool host_network = in.boolean("hostNetwork");
  const bool own_users = in.has("hostUsers") && !in.boolean("hostUsers");
  spec.host_user_namespace = host_network && own_users;
  spec.os = in.object("os").text("name");
  spec.strict_supplemental_groups =
      in.object("securityContext").text("supplementalGroupsPolicy") == "Strict";
  in.each("initContainers", [&](const FieldReader& c) {
    spec.init_containers.push_back(container_of(c, host_network, defaults));
  });
  in.each("containers", [&](const FieldReader& c) {
    spec.containers.push_back(container_of(c, host_network, defaults));
  });
  spec.overhead = in.resources("overhead", defaults);
  spec.has_pod_resources = in.has("resources");
  FieldReader resources = in.object("resources");
  spec.pod_requests = resources.resources("requests", defaults);
  if (!spec.has_pod_resources) return;
  const model::ResourceList limits = resources.resources("limits", defaults);
  if (defaults == Defaults::kApiServer) default_pod_requests(limits, spec);
  if (!limits.empty()) note_qos_class(model::computed_qos_class(spec, limits), spec);
}

// The first owner with controller: true, as in the API's GetControllerOf.
std::optional<model::Controller> controller_of(const FieldReader& metadata) {
  std::optional<model::Controller> controller;
  metadata.each("ownerReferences", [&](const FieldReader& owner) {
    const bool controls = owner.boolean("controller");
    model::Controller read{owner.text("apiVersion"), owner.text("kind"), owner.text("name"),
                           owner.text("uid")};
    if (controls && !controller) controller = std::move(read);
  });
  return controller;
}

model::PodPhase phase_of(const std::string& text) {
  if (text == "Pending") return model::PodPhase::kPending;
  if (text == "Running") return model::PodPhase::kRunning;
  if (text == "Succeeded") return model::PodPhase::kSucceeded;
  if (text == "Failed") return model::PodPhase::kFailed;
  return model::PodPhase::kUnknown;
}

void read_status(const FieldReader& status, Defaults defaults, model::Pod& pod) {
  pod.phase = phase_of(status.text("phase"));
  pod.nominated_node_name = status.text("nominatedNodeName");
  if (const auto told = model::read_qos_class(status.text("qosClass")))
    note_qos_class(*told, pod.spec);
  read_statuses(status, "containerStatuses", defaults, pod.spec);
  read_statuses(status, "initContainerStatuses", defaults, pod.spec);
  model::ContainerStatus own = status_of(status, defaults);
  if (own.has_resources && !pod.spec.pod_requests.empty()) pod.spec.own_status = std::move(own);
  pod.started_at = status.time("startTime");
  // Of each type only the first condition counts.
  bool resize_known = false, disruption_known = false;
  status.each("conditions", [&](const FieldReader& condition) {
    const std::string type = condition.text("type");
    if (!resize_known && type == "PodResizePending") {
      resize_known = true;
      pod.spec.resize_infeasible = condition.text("reason") == "Infeasible";
    }
    if (pod.ready == model::PodReady::kNotTold && type == "Ready")
      pod.ready =
          condition.text("status") == "True" ? model::PodReady::kTrue : model::PodReady::kFalse;
    if (!disruption_known && type == "DisruptionTarget") {
      disruption_known = true;
      const bool disrupted = condition.text("status") == "True";
      const std::string reason = condition.text("reason");
      pod.preempted = pod.terminating && disrupted && reason == "PreemptionByScheduler";
      if (disrupted) pod.disrupted_because = reason + ": " + condition.text("message");
    }
  });
}

}  // namespace

void read_pod_spec(const FieldReader& in, Defaults defaults, model::Pod& pod) {
  pod.spec.labels = in.object("metadata").string_map("labels");
  const FieldReader spec = in.object("spec");
  read_scheduling(spec, pod.spec);
  read_resources(spec, pod.spec, defaults);
  read_grace(spec, pod.spec);
  read_run(in.object("metadata").object("annotations"), pod.spec);
  read_deletion_cost(in.object("metadata").object("annotations"), pod.spec);
  pod.spec.volumes = read_pod_volumes(spec);
  pod.spec.empty_dir = has_empty_dir(spec);
  pod.spec.mirror = in.object("metadata").object("annotations").has("kubernetes.io/config.mirror");
}

bool tolerates_for_a_time(document::Value object) {
  const auto by_admission = [](document::Value toleration) {
    const document::Value key = toleration.find("key");
    return key.is(document::Kind::kString) &&
           std::ranges::count(kToleratedForAWhile, key.as_string()) != 0 &&
           toleration.find("tolerationSeconds").as_int64() == kTolerationSeconds;
  };
  for (const document::Value toleration : object.find("spec").find("tolerations").elements())
    if (toleration.find("tolerationSeconds").present() && !by_admission(toleration)) return true;
  return false;
}

PodAsked read_asked(document::Value object, Defaults defaults) {
  Diagnostics known;  // the faults that there may be were reported when the object was decoded
  Faults faults(known);
  const FieldReader in = FieldReader(object, faults).object("spec");
  PodAsked asked;
  asked.priority_class = in.text("priorityClassName");
  asked.runtime_class = in.text("runtimeClassName");
  asked.host_network = in.boolean("hostNetwork");
  asked.has_overhead = in.has("overhead");
  asked.has_deadline = in.has("activeDeadlineSeconds");
  asked.limits = in.object("resources").resources("limits", defaults);
  asked.with_resource_claims = object.find("spec").find("resourceClaims").size() != 0;
  asked.tolerates_for_a_time = tolerates_for_a_time(object);
  asked.ephemeral_claims = read_ephemeral_claims(in);
  return asked;
}

namespace {

std::optional<model::Pod> decoded_pod(document::Value value, Diagnostics& diagnostics,
                                      Defaults defaults, Validation validation) {
  Faults faults(diagnostics);
  FieldReader in = object_reader(value, faults);
  FieldReader metadata = in.object("metadata");
  model::Pod pod;
  pod.name = object_name(in, metadata, defaults, "pod");
  pod.namespace_name = namespace_of(metadata, defaults);
  pod.uid = metadata.text("uid");
  pod.controller = controller_of(metadata);
  read_pod_spec(in, defaults, pod);
  pod.created_at = metadata.time("creationTimestamp").value_or(0);
  pod.terminating = !metadata.text("deletionTimestamp").empty();
  read_status(in.object("status"), defaults, pod);
  const bool is_new = validation != Validation::kNone && Admission::creates(pod);
  if (is_new) validate_new_pod(value, pod, validation, faults);
  if ((is_new || faults.none()) && defaults == Defaults::kApiServer)
    complete_pod(value, pod, faults);
  if (!faults.none()) return std::nullopt;
  return pod;
}

}  // namespace

std::optional<model::Pod> decode_pod(document::Value value, Diagnostics& diagnostics,
                                     Defaults defaults) {
  return decoded_pod(value, diagnostics, defaults, Validation::kNone);
}

std::optional<model::Pod> decode_new_pod(document::Value value, Diagnostics& diagnostics,
                                         Validation validation) {
  return decoded_pod(value, diagnostics, Defaults::kApiServer, validation);
}

}  // namespace berth::ingest
