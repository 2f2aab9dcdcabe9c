#include "engine/ingest/stream/read/stream_decode.h"

#include <simdjson.h>

#include <utility>

#include "engine/ingest/objects/decode/container_run.h"

namespace berth::ingest {
namespace {

constexpr int32_t kMaxPort = 65'535;

}  // namespace

std::string ObjectDecoder::path_text() const {
  std::string text;
  for (const Step& step : path_) {
    if (!text.empty()) text += '.';
    text += step.field;
    if (step.index != kNoIndex) text += "[" + std::to_string(step.index) + "]";
  }
  return text;
}

void ObjectDecoder::begin(const char* what, size_t index) {
  path_.assign(1, {what, index});
  fault_.reset();
}

void ObjectDecoder::refuse(std::string message) {
  if (good()) fault_ = StreamFault{path_text(), std::move(message)};
}

void ObjectDecoder::refuse(const char* field, std::string message) {
  const Scope scope(*this, field);
  refuse(std::move(message));
}

std::string ObjectDecoder::text(const flatbuffers::String* in, const char* field) {
  if (in == nullptr) return {};
  if (!simdjson::validate_utf8(in->c_str(), in->size())) refuse(field, "is not UTF-8");
  return in->str();
}

std::string ObjectDecoder::name(const flatbuffers::String* in, const char* field) {
  if (in == nullptr || in->size() == 0) {
    refuse(field, "is missing");
    return {};
  }
  std::string name = text(in, field);
  check_name(name, field);
  return name;
}

void ObjectDecoder::check_name(const std::string& name, const char* field) {
  if (name.empty()) return refuse(field, "is missing");
  if (name.size() <= kMaxColumnString) return;
  refuse(field, "is " + std::to_string(name.size()) + " bytes long, more than the " +
                    std::to_string(kMaxColumnString) + " that a name may have");
}

template <typename Out, typename In>
std::vector<Out> ObjectDecoder::list(const Tables<In>* in, const char* field,
                                     Out (ObjectDecoder::*decode)(const In&)) {
  std::vector<Out> out;
  if (in == nullptr) return out;
  out.reserve(in->size());
  for (flatbuffers::uoffset_t i = 0; i < in->size() && good(); ++i) {
    const Scope scope(*this, field, i);
    out.push_back((this->*decode)(*in->Get(i)));
  }
  return out;
}

template <typename Out, typename In>
std::optional<Out> ObjectDecoder::optional(const In* in, const char* field,
                                           Out (ObjectDecoder::*decode)(const In&)) {
  if (in == nullptr) return std::nullopt;
  const Scope scope(*this, field);
  return (this->*decode)(*in);
}

std::vector<std::string> ObjectDecoder::texts(const Texts* in, const char* field) {
  std::vector<std::string> out;
  if (in == nullptr) return out;
  out.reserve(in->size());
  for (flatbuffers::uoffset_t i = 0; i < in->size() && good(); ++i) {
    out.push_back(text(in->Get(i), field));
  }
  return out;
}

std::vector<std::string> ObjectDecoder::names(const Texts* in, const char* field) {
  std::vector<std::string> out;
  if (in == nullptr) return out;
  for (flatbuffers::uoffset_t i = 0; i < in->size() && good(); ++i) {
    out.push_back(name(in->Get(i), field));
  }
  return out;
}

model::StringMap ObjectDecoder::map(const Tables<schema::Entry>* in, const char* field) {
  model::StringMap out;
  if (in == nullptr) return out;
  out.reserve(in->size());
  for (flatbuffers::uoffset_t i = 0; i < in->size() && good(); ++i) {
    const Scope scope(*this, field, i);
    const schema::Entry& entry = *in->Get(i);
    out.emplace_back(text(entry.key(), "key"), text(entry.value(), "value"));
    if (i > 0 && out[i].first <= out[i - 1].first) refuse("key", "is not above the one before");
  }
  return out;
}

model::Quantity ObjectDecoder::quantity(const flatbuffers::String* in) {
  const std::string written = text(in, "quantity");
  const std::optional<model::Quantity> quantity = model::Quantity::parse(written);
  if (!quantity) {
    refuse("quantity", "\"" + written + "\" is not a quantity");
    return {};
  }
  if (quantity->negative()) refuse("quantity", written + " is negative");
  return *quantity;
}

model::ResourceList ObjectDecoder::resources(const Tables<schema::Resource>* in,
                                             const char* field) {
  model::ResourceList out;
  if (in == nullptr) return out;
  out.reserve(in->size());
  for (flatbuffers::uoffset_t i = 0; i < in->size() && good(); ++i) {
    const Scope scope(*this, field, i);
    const schema::Resource& resource = *in->Get(i);
    out.emplace_back(name(resource.name(), "name"), quantity(resource.quantity()));
    if (i > 0 && out[i].first <= out[i - 1].first) refuse("name", "is not above the one before");
  }
  return out;
}

model::Requirement ObjectDecoder::requirement(const schema::Requirement& in) {
  return {.key = text(in.key(), "key"),
          .op = text(in.op(), "op"),
          .values = texts(in.values(), "values")};
}

model::NodeSelectorTerm ObjectDecoder::selector_term(const schema::NodeSelectorTerm& in) {
  return {.match_expressions =
              list(in.match_expressions(), "match_expressions", &ObjectDecoder::requirement),
          .match_fields = list(in.match_fields(), "match_fields", &ObjectDecoder::requirement)};
}

model::NodeSelector ObjectDecoder::node_selector(const schema::NodeSelector& in) {
  return {.terms = list(in.terms(), "terms", &ObjectDecoder::selector_term)};
}

model::PreferredSchedulingTerm ObjectDecoder::preferred_term(
    const schema::PreferredSchedulingTerm& in) {
  return {.weight = in.weight(),
          .preference = optional(in.preference(), "preference", &ObjectDecoder::selector_term)
                            .value_or(model::NodeSelectorTerm{})};
}

model::LabelSelector ObjectDecoder::label_selector(const schema::LabelSelector& in) {
  return {.match_labels = map(in.match_labels(), "match_labels"),
          .match_expressions =
              list(in.match_expressions(), "match_expressions", &ObjectDecoder::requirement)};
}

model::PodAffinityTerm ObjectDecoder::affinity_term(const schema::PodAffinityTerm& in) {
  return {.label_selector =
              optional(in.label_selector(), "label_selector", &ObjectDecoder::label_selector),
          .namespaces = texts(in.namespaces(), "namespaces"),
          .namespace_selector = optional(in.namespace_selector(), "namespace_selector",
                                         &ObjectDecoder::label_selector),
          .topology_key = text(in.topology_key(), "topology_key"),
          .match_label_keys = texts(in.match_label_keys(), "match_label_keys"),
          .mismatch_label_keys = texts(in.mismatch_label_keys(), "mismatch_label_keys")};
}

model::WeightedPodAffinityTerm ObjectDecoder::weighted_term(
    const schema::WeightedPodAffinityTerm& in) {
  return {.weight = in.weight(),
          .term = optional(in.term(), "term", &ObjectDecoder::affinity_term)
                      .value_or(model::PodAffinityTerm{})};
}

model::PodAffinity ObjectDecoder::pod_affinity(const schema::PodAffinity& in) {
  return {.required = list(in.required(), "required", &ObjectDecoder::affinity_term),
          .preferred = list(in.preferred(), "preferred", &ObjectDecoder::weighted_term)};
}

model::Affinity ObjectDecoder::affinity(const schema::Affinity& in) {
  return {
      .node_required = optional(in.node_required(), "node_required", &ObjectDecoder::node_selector),
      .node_preferred = list(in.node_preferred(), "node_preferred", &ObjectDecoder::preferred_term),
      .has_node_preferred = in.node_preferred() != nullptr,
      .pod_affinity = optional(in.pod_affinity(), "pod_affinity", &ObjectDecoder::pod_affinity),
      .pod_anti_affinity =
          optional(in.pod_anti_affinity(), "pod_anti_affinity", &ObjectDecoder::pod_affinity)};
}

model::TopologySpreadConstraint ObjectDecoder::spread(const schema::TopologySpreadConstraint& in) {
  model::TopologySpreadConstraint out{
      .max_skew = in.max_skew(),
      .topology_key = text(in.topology_key(), "topology_key"),
      .when_unsatisfiable = text(in.when_unsatisfiable(), "when_unsatisfiable"),
      .label_selector =
          optional(in.label_selector(), "label_selector", &ObjectDecoder::label_selector),
      .min_domains = std::nullopt,
      .node_affinity_policy = text(in.node_affinity_policy(), "node_affinity_policy"),
      .node_taints_policy = text(in.node_taints_policy(), "node_taints_policy"),
      .match_label_keys = texts(in.match_label_keys(), "match_label_keys")};
  if (const auto min_domains = in.min_domains()) out.min_domains = *min_domains;
  return out;
}

model::Toleration ObjectDecoder::toleration(const schema::Toleration& in) {
  model::Toleration out{.key = text(in.key(), "key"),
                        .op = text(in.op(), "op"),
                        .value = text(in.value(), "value"),
                        .effect = text(in.effect(), "effect")};
  if (const auto seconds = in.seconds()) out.seconds = *seconds;
  return out;
}

model::ContainerPort ObjectDecoder::port(const schema::ContainerPort& in) {
  if (in.host_port() < 0 || in.host_port() > kMaxPort) {
    refuse("host_port", std::to_string(in.host_port()) + " is not a port");
  }
  return {.host_ip = text(in.host_ip(), "host_ip"),
          .protocol = text(in.protocol(), "protocol"),
          .host_port = in.host_port()};
}

model::Container ObjectDecoder::container(const schema::Container& in) {
  return {.name = text(in.name(), "name"),
          .image = text(in.image(), "image"),
          .requests = resources(in.requests(), "requests"),
          .ports = list(in.ports(), "ports", &ObjectDecoder::port),
          .restart_always = in.restart_always(),
          .limits = resources(in.limits(), "limits"),
          .restart_all = in.restart_all()};
}

model::ContainerStatus ObjectDecoder::container_status(const schema::ContainerStatus& in) {
  return {.name = text(in.name(), "name"),
          .has_resources = in.has_resources(),
          .requests = resources(in.requests(), "requests"),
          .allocated_resources = resources(in.allocated_resources(), "allocated_resources")};
}

model::PodSpec ObjectDecoder::pod_spec(const schema::PodSpec* in) {
  const Scope scope(*this, "spec");
  if (in == nullptr) {
    refuse("is missing");
    return {};
  }
  model::PodSpec out;
  out.scheduler_name = text(in->scheduler_name(), "scheduler_name");
  out.node_name = text(in->node_name(), "node_name");
  if (const auto priority = in->priority()) out.priority = *priority;
  out.preemption_policy = text(in->preemption_policy(), "preemption_policy");
  out.labels = map(in->labels(), "labels");
  out.node_selector = map(in->node_selector(), "node_selector");
  out.has_node_selector = in->node_selector() != nullptr;
  out.affinity =
      optional(in->affinity(), "affinity", &ObjectDecoder::affinity).value_or(model::Affinity{});
  out.tolerations = list(in->tolerations(), "tolerations", &ObjectDecoder::toleration);
  out.topology_spread_constraints = list(in->topology_spread_constraints(),
                                         "topology_spread_constraints", &ObjectDecoder::spread);
  out.scheduling_gates = texts(in->scheduling_gates(), "scheduling_gates");
  out.init_containers = list(in->init_containers(), "init_containers", &ObjectDecoder::container);
  out.containers = list(in->containers(), "containers", &ObjectDecoder::container);
  out.overhead = resources(in->overhead(), "overhead");
  out.has_pod_resources = in->pod_requests() != nullptr;
  out.pod_requests = resources(in->pod_requests(), "pod_requests");
  out.container_statuses =
      list(in->container_statuses(), "container_statuses", &ObjectDecoder::container_status);
  out.resize_infeasible = in->resize_infeasible();
  if (const auto seconds = in->termination_grace_seconds())
    out.termination_grace_seconds = *seconds;
  out.volumes = volumes(in->volumes());
  if (const auto runs_for = in->runs_for()) {
    if (const char* problem = problem_of_run(*runs_for, in->exit_code()))
      refuse("runs_for", problem);
    out.run = model::ContainerRun{*runs_for, in->exit_code()};
  } else if (in->exit_code() != 0) {
    refuse("exit_code", "is there without runs_for");
  }
  out.empty_dir = in->empty_dir();
  out.mirror = in->mirror();
  out.host_user_namespace = in->host_user_namespace();
  out.own_status = optional(in->own_status(), "own_status", &ObjectDecoder::container_status)
                       .value_or(model::ContainerStatus{});
  out.deletion_cost = in->deletion_cost();
  out.os = text(in->os(), "os");
  out.strict_supplemental_groups = in->strict_supplemental_groups();
  if (in->qos_class() > schema::QosClass::MAX)
    refuse("qos_class", std::to_string(static_cast<int>(in->qos_class())) + " is no class");
  if (in->qos_class() != schema::QosClass::Computed)
    out.qos_class = static_cast<model::QosClass>(static_cast<int>(in->qos_class()) - 1);
  return out;
}

TemplatePod ObjectDecoder::pod(const schema::Pod* in) {
  if (in == nullptr) {
    refuse("pod", "is missing");
    return {};
  }
  if (in->phase() > schema::PodPhase::MAX) {
    refuse("phase", std::to_string(static_cast<int>(in->phase())) + " is not a phase");
  }
  if (in->ready() > schema::PodReady::MAX) {
    refuse("ready", std::to_string(static_cast<int>(in->ready())) + " is no status of Ready");
  }
  TemplatePod out;
  out.template_id = in->template_id();
  out.namespace_name = name(in->namespace_name(), "namespace_name");
  out.name = name(in->name(), "name");
  out.uid = text(in->uid(), "uid");
  out.controller = optional(in->controller(), "controller", &ObjectDecoder::controller);
  out.node_name = text(in->node_name(), "node_name");
  out.labels = map(in->labels(), "labels");
  out.claims = names(in->claims(), "claims");
  out.phase = static_cast<model::PodPhase>(in->phase());
  out.nominated_node_name = text(in->nominated_node_name(), "nominated_node_name");
  out.terminating = in->terminating();
  out.preempted = in->preempted();
  out.ready = static_cast<model::PodReady>(in->ready());
  out.created_at = in->created_at();
  if (const auto started_at = in->started_at()) out.started_at = *started_at;
  if (out.preempted && !out.terminating) refuse("preempted", "is set and terminating is not");
  return out;
}

model::Controller ObjectDecoder::controller(const schema::Controller& in) {
  return {.api_version = text(in.api_version(), "api_version"),
          .kind = text(in.kind(), "kind"),
          .name = text(in.name(), "name"),
          .uid = text(in.uid(), "uid")};
}

model::Taint ObjectDecoder::taint(const schema::Taint& in) {
  return {.key = text(in.key(), "key"),
          .value = text(in.value(), "value"),
          .effect = text(in.effect(), "effect")};
}

model::NodeImage ObjectDecoder::image(const schema::NodeImage& in) {
  if (in.size_bytes() < 0) refuse("size_bytes", std::to_string(in.size_bytes()) + " is negative");
  return {.names = texts(in.names(), "names"), .size_bytes = in.size_bytes()};
}

model::NodeCondition ObjectDecoder::node_condition(const schema::NodeCondition& in) {
  return {.type = text(in.type(), "type"), .status = text(in.status(), "status")};
}

model::Node ObjectDecoder::node(const schema::Node* in) {
  if (in == nullptr) {
    refuse("node", "is missing");
    return {};
  }
  return {.name = name(in->name(), "name"),
          .labels = map(in->labels(), "labels"),
          .annotations = map(in->annotations(), "annotations"),
          .unschedulable = in->unschedulable(),
          .taints = list(in->taints(), "taints", &ObjectDecoder::taint),
          .allocatable = resources(in->allocatable(), "allocatable"),
          .images = list(in->images(), "images", &ObjectDecoder::image),
          .conditions = list(in->conditions(), "conditions", &ObjectDecoder::node_condition),
          .capacity = resources(in->capacity(), "capacity"),
          .declared_features = texts(in->declared_features(), "declared_features"),
          .supplemental_groups_policy = in->supplemental_groups_policy()};
}

model::Namespace ObjectDecoder::namespace_object(const schema::Namespace* in) {
  if (in == nullptr) {
    refuse("namespace_object", "is missing");
    return {};
  }
  return {.name = name(in->name(), "name"), .labels = map(in->labels(), "labels")};
}

// In the schema 0 means none.
model::SelectorOwnerKind ObjectDecoder::selector_owner_kind(schema::SelectorOwnerKind in,
                                                            const char* field) {
  if (in == schema::SelectorOwnerKind::None) {
    refuse(field, "is missing");
    return {};
  }
  if (in > schema::SelectorOwnerKind::MAX) {
    refuse(field,
           std::to_string(static_cast<int>(in)) + " is not a kind of object that selects pods");
    return {};
  }
  return static_cast<model::SelectorOwnerKind>(static_cast<int>(in) - 1);
}

model::SelectorOwner ObjectDecoder::selector_owner(const schema::SelectorOwner* in) {
  if (in == nullptr) {
    refuse("selector_owner", "is missing");
    return {};
  }
  return {.kind = selector_owner_kind(in->kind(), "kind"),
          .name = name(in->name(), "name"),
          .namespace_name = name(in->namespace_name(), "namespace_name"),
          .selector = optional(in->selector(), "selector", &ObjectDecoder::label_selector)};
}

std::optional<model::PodAmount> ObjectDecoder::pod_amount(const schema::PodAmount* in,
                                                          const char* field) {
  constexpr int32_t kWhole = 100;
  if (in == nullptr) return std::nullopt;
  if (in->number() < 0 || (in->percent() && in->number() > kWhole))
    refuse(field, "is out of range");
  return model::PodAmount{in->number(), in->percent()};
}

model::DisruptionBudget ObjectDecoder::disruption_budget(const schema::DisruptionBudget* in) {
  if (in == nullptr) {
    refuse("disruption_budget", "is missing");
    return {};
  }
  model::DisruptionBudget out{
      .name = name(in->name(), "name"),
      .namespace_name = name(in->namespace_name(), "namespace_name"),
      .selector = optional(in->selector(), "selector", &ObjectDecoder::label_selector),
      .disruptions_allowed = in->disruptions_allowed(),
      .disrupted_pods = texts(in->disrupted_pods(), "disrupted_pods"),
      .min_available = pod_amount(in->min_available(), "min_available"),
      .max_unavailable = pod_amount(in->max_unavailable(), "max_unavailable"),
      .unhealthy_pods = static_cast<model::UnhealthyPods>(in->unhealthy_pods()),
      .without_status = in->without_status()};
  if (out.min_available && out.max_unavailable)
    refuse("max_unavailable", "is beside min_available");
  if (in->unhealthy_pods() > schema::UnhealthyPods::MAX)
    refuse("unhealthy_pods",
           std::to_string(static_cast<int>(in->unhealthy_pods())) + " is not a policy");
  const auto& pods = out.disrupted_pods;
  if (std::adjacent_find(pods.begin(), pods.end(), std::greater_equal<>()) != pods.end())
    refuse("disrupted_pods", "is not ascending");
  return out;
}

}  // namespace berth::ingest
