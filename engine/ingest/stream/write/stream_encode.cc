#include "engine/ingest/stream/write/stream_encode.h"

#include <string>
#include <vector>

#include "engine/ingest/written/object_json.h"

namespace berth::ingest {
namespace {

using Builder = flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
template <typename T>
using Tables = Offset<flatbuffers::Vector<Offset<T>>>;
using TextVector = Tables<flatbuffers::String>;

// A class, so that its functions can call each other regardless of their order.
class Encoder {
 private:
  // Empty values are left out, which the offset 0 expresses.
  Offset<flatbuffers::String> text(const std::string& text) const {
    return text.empty() ? Offset<flatbuffers::String>() : to_.CreateString(text);
  }

  TextVector texts(const std::vector<std::string>& texts) const {
    return texts.empty() ? TextVector() : to_.CreateVectorOfStrings(texts);
  }

  TextVector json_texts(const std::vector<model::PodVolume>& volumes) const {
    std::vector<std::string> out(volumes.size());
    for (size_t i = 0; i < volumes.size(); ++i) append(volumes[i], out[i]);
    return texts(out);
  }

  template <typename In>
  auto present_list(const std::vector<In>& in) const {
    std::vector<decltype(object(in[0]))> out;
    out.reserve(in.size());
    for (const In& value : in) out.push_back(object(value));
    return to_.CreateVector(out);
  }

  template <typename In>
  auto list(const std::vector<In>& in) const {
    return in.empty() ? decltype(present_list(in))() : present_list(in);
  }

  template <typename In>
  auto optional(const std::optional<In>& in) const {
    return in ? object(*in) : decltype(object(*in))();
  }

  template <typename Number>
  flatbuffers::Optional<Number> optional_number(const std::optional<Number>& in) const {
    return in ? flatbuffers::Optional<Number>(*in) : flatbuffers::Optional<Number>();
  }

  Offset<schema::Entry> object(const model::StringMap::value_type& in) const {
    const auto& [key, value] = in;
    const auto key_offset = to_.CreateString(key);
    return schema::CreateEntry(to_, key_offset, text(value));
  }

  Offset<schema::Resource> object(const model::ResourceList::value_type& in) const {
    const auto& [name, quantity] = in;
    const auto name_offset = to_.CreateString(name);
    const auto quantity_offset = to_.CreateString(quantity.to_string());
    return schema::CreateResource(to_, name_offset, quantity_offset);
  }

 public:
  explicit Encoder(Builder& to) : to_(to) {}

  Offset<schema::PodSpec> object(const model::PodSpec& spec) const {
    const auto& [scheduler_name, node_name, priority, preemption_policy, labels, node_selector,
                 has_node_selector, affinity, tolerations, topology_spread_constraints,
                 scheduling_gates, init_containers, containers, overhead, has_pod_resources,
                 pod_requests, container_statuses, resize_infeasible, termination_grace_seconds,
                 volumes, run, empty_dir, mirror, host_user_namespace, own_status, deletion_cost,
                 qos_class, os, strict_supplemental_groups] = spec;
    const auto scheduler_offset = text(scheduler_name);
    const auto node_offset = text(node_name);
    const auto policy_offset = text(preemption_policy);
    const auto labels_offset = list(labels);
    const auto selector_offset =
        has_node_selector ? present_list(node_selector) : list(node_selector);
    const auto affinity_offset = object(affinity);
    const auto tolerations_offset = list(tolerations);
    const auto spread_offset = list(topology_spread_constraints);
    const auto gates_offset = texts(scheduling_gates);
    const auto init_offset = list(init_containers);
    const auto containers_offset = list(containers);
    const auto overhead_offset = list(overhead);
    const auto pod_offset = has_pod_resources ? present_list(pod_requests) : list(pod_requests);
    const auto statuses_offset = list(container_statuses);
    const auto volumes_offset = json_texts(volumes);
    const auto own_offset = own_status == model::ContainerStatus()
                                ? Offset<schema::ContainerStatus>()
                                : object(own_status);
    const auto os_offset = text(os);
    const std::optional<int64_t> runs_for = run ? std::optional(run->nanoseconds) : std::nullopt;
    return schema::CreatePodSpec(
        to_, scheduler_offset, node_offset, optional_number(priority), policy_offset, labels_offset,
        selector_offset, affinity_offset, tolerations_offset, spread_offset, gates_offset,
        init_offset, containers_offset, overhead_offset, pod_offset, statuses_offset,
        resize_infeasible, optional_number(termination_grace_seconds), volumes_offset,
        optional_number(runs_for), run ? run->exit_code : 0, empty_dir, mirror, host_user_namespace,
        own_offset, deletion_cost, object(qos_class), os_offset, strict_supplemental_groups);
  }

  Offset<schema::Node> object(const model::Node& node) const {
    const auto& [name, labels, annotations, unschedulable, taints, allocatable, images, conditions,
                 capacity, declared_features, supplemental_groups_policy] = node;
    const auto name_offset = to_.CreateString(name);
    const auto labels_offset = list(labels);
    const auto annotations_offset = list(annotations);
    const auto taints_offset = list(taints);
    const auto allocatable_offset = list(allocatable);
    const auto images_offset = list(images);
    const auto conditions_offset = list(conditions);
    const auto capacity_offset = list(capacity);
    const auto features_offset = texts(declared_features);
    return schema::CreateNode(to_, name_offset, labels_offset, annotations_offset, unschedulable,
                              taints_offset, allocatable_offset, images_offset, conditions_offset,
                              capacity_offset, features_offset, supplemental_groups_policy);
  }

  Offset<schema::Namespace> object(const model::Namespace& object) const {
    const auto& [name, labels] = object;
    const auto name_offset = to_.CreateString(name);
    return schema::CreateNamespace(to_, name_offset, list(labels));
  }

  Offset<schema::SelectorOwner> object(const model::SelectorOwner& owner) const {
    const auto& [kind, name, namespace_name, selector] = owner;
    const auto name_offset = to_.CreateString(name);
    const auto namespace_offset = to_.CreateString(namespace_name);
    return schema::CreateSelectorOwner(to_, encode(kind), name_offset, namespace_offset,
                                       optional(selector));
  }

  Offset<schema::PodAmount> amount(const std::optional<model::PodAmount>& pods) const {
    return pods ? schema::CreatePodAmount(to_, pods->number, pods->percent)
                : Offset<schema::PodAmount>();
  }

  Offset<schema::DisruptionBudget> object(const model::DisruptionBudget& budget) const {
    const auto& [name, namespace_name, selector, disruptions_allowed, disrupted_pods, min_available,
                 max_unavailable, unhealthy_pods, without_status] = budget;
    const auto name_offset = to_.CreateString(name);
    const auto namespace_offset = to_.CreateString(namespace_name);
    const auto selector_offset = optional(selector);
    const auto least = amount(min_available), most = amount(max_unavailable);
    return schema::CreateDisruptionBudget(to_, name_offset, namespace_offset, selector_offset,
                                          disruptions_allowed, texts(disrupted_pods), least, most,
                                          static_cast<schema::UnhealthyPods>(unhealthy_pods),
                                          without_status);
  }

  Offset<schema::Controller> object(const model::Controller& controller) const {
    const auto& [api_version, kind, name, uid] = controller;
    const auto version_offset = text(api_version);
    const auto kind_offset = text(kind);
    const auto name_offset = text(name);
    return schema::CreateController(to_, version_offset, kind_offset, name_offset, text(uid));
  }

  Offset<schema::Pod> object(const TemplatePod& pod, uint32_t template_id) const {
    const auto& [id, spec, namespace_name, name, uid, controller, node_name, labels, claims, phase,
                 nominated_node_name, terminating, preempted, ready, created_at, started_at] = pod;
    const auto namespace_offset = to_.CreateString(namespace_name);
    const auto name_offset = to_.CreateString(name);
    const auto uid_offset = text(uid);
    const auto node_offset = text(node_name);
    const auto labels_offset = list(labels);
    const auto nominated_offset = text(nominated_node_name);
    const auto controller_offset = optional(controller);
    const auto claims_offset = texts(claims);
    return schema::CreatePod(to_, template_id, namespace_offset, name_offset, uid_offset,
                             node_offset, labels_offset, object(phase), nominated_offset,
                             terminating, controller_offset, preempted, optional_number(started_at),
                             created_at, claims_offset, object(ready));
  }

 private:
  Offset<schema::Requirement> object(const model::Requirement& in) const {
    const auto& [key, op, values] = in;
    const auto key_offset = text(key);
    const auto op_offset = text(op);
    return schema::CreateRequirement(to_, key_offset, op_offset, texts(values));
  }

  Offset<schema::NodeSelectorTerm> object(const model::NodeSelectorTerm& in) const {
    const auto& [match_expressions, match_fields] = in;
    const auto expressions = list(match_expressions);
    return schema::CreateNodeSelectorTerm(to_, expressions, list(match_fields));
  }

  Offset<schema::NodeSelector> object(const model::NodeSelector& in) const {
    const auto& [terms] = in;
    return schema::CreateNodeSelector(to_, list(terms));
  }

  Offset<schema::PreferredSchedulingTerm> object(const model::PreferredSchedulingTerm& in) const {
    const auto& [weight, preference] = in;
    return schema::CreatePreferredSchedulingTerm(to_, weight, object(preference));
  }

  Offset<schema::LabelSelector> object(const model::LabelSelector& in) const {
    const auto& [match_labels, match_expressions] = in;
    const auto labels = list(match_labels);
    return schema::CreateLabelSelector(to_, labels, list(match_expressions));
  }

  Offset<schema::PodAffinityTerm> object(const model::PodAffinityTerm& in) const {
    const auto& [label_selector, namespaces, namespace_selector, topology_key, match_label_keys,
                 mismatch_label_keys] = in;
    const auto labels = optional(label_selector);
    const auto names = texts(namespaces);
    const auto selected = optional(namespace_selector);
    const auto key = text(topology_key);
    const auto match = texts(match_label_keys);
    const auto mismatch = texts(mismatch_label_keys);
    return schema::CreatePodAffinityTerm(to_, labels, names, selected, key, match, mismatch);
  }

  Offset<schema::WeightedPodAffinityTerm> object(const model::WeightedPodAffinityTerm& in) const {
    const auto& [weight, term] = in;
    return schema::CreateWeightedPodAffinityTerm(to_, weight, object(term));
  }

  Offset<schema::PodAffinity> object(const model::PodAffinity& in) const {
    const auto& [required, preferred] = in;
    const auto required_offset = list(required);
    return schema::CreatePodAffinity(to_, required_offset, list(preferred));
  }

  Offset<schema::Affinity> object(const model::Affinity& in) const {
    if (in == model::Affinity{}) return {};
    const auto& [node_required, node_preferred, has_node_preferred, pod_affinity,
                 pod_anti_affinity] = in;
    const auto required = optional(node_required);
    const auto preferred = has_node_preferred ? present_list(node_preferred) : list(node_preferred);
    const auto pod = optional(pod_affinity);
    const auto anti = optional(pod_anti_affinity);
    return schema::CreateAffinity(to_, required, preferred, pod, anti);
  }

  Offset<schema::TopologySpreadConstraint> object(const model::TopologySpreadConstraint& in) const {
    const auto& [max_skew, topology_key, when_unsatisfiable, label_selector, min_domains,
                 node_affinity_policy, node_taints_policy, match_label_keys] = in;
    const auto key = text(topology_key);
    const auto when = text(when_unsatisfiable);
    const auto labels = optional(label_selector);
    const auto affinity_policy = text(node_affinity_policy);
    const auto taints_policy = text(node_taints_policy);
    const auto keys = texts(match_label_keys);
    return schema::CreateTopologySpreadConstraint(to_, max_skew, key, when, labels,
                                                  optional_number(min_domains), affinity_policy,
                                                  taints_policy, keys);
  }

  Offset<schema::Toleration> object(const model::Toleration& in) const {
    const auto& [key, op, value, effect, seconds] = in;
    const auto key_offset = text(key);
    const auto op_offset = text(op);
    const auto value_offset = text(value);
    const auto effect_offset = text(effect);
    return schema::CreateToleration(to_, key_offset, op_offset, value_offset, effect_offset,
                                    optional_number(seconds));
  }

  Offset<schema::ContainerPort> object(const model::ContainerPort& in) const {
    const auto& [host_ip, protocol, host_port] = in;
    const auto ip = text(host_ip);
    return schema::CreateContainerPort(to_, ip, text(protocol), host_port);
  }

  Offset<schema::Container> object(const model::Container& in) const {
    const auto& [name, image, requests, ports, restart_always, limits, restart_all] = in;
    const auto name_offset = text(name);
    const auto image_offset = text(image);
    const auto requests_offset = list(requests);
    const auto ports_offset = list(ports);
    const auto limits_offset = list(limits);
    return schema::CreateContainer(to_, name_offset, image_offset, requests_offset, ports_offset,
                                   restart_always, limits_offset, restart_all);
  }

  Offset<schema::ContainerStatus> object(const model::ContainerStatus& in) const {
    const auto& [name, has_resources, requests, allocated_resources] = in;
    const auto name_offset = text(name);
    const auto requests_offset = list(requests);
    const auto allocated = list(allocated_resources);
    return schema::CreateContainerStatus(to_, name_offset, has_resources, requests_offset,
                                         allocated);
  }

  Offset<schema::Taint> object(const model::Taint& in) const {
    const auto& [key, value, effect] = in;
    const auto key_offset = text(key);
    const auto value_offset = text(value);
    return schema::CreateTaint(to_, key_offset, value_offset, text(effect));
  }

  Offset<schema::NodeCondition> object(const model::NodeCondition& in) const {
    const auto& [type, status] = in;
    const auto type_offset = text(type);
    return schema::CreateNodeCondition(to_, type_offset, text(status));
  }

  Offset<schema::NodeImage> object(const model::NodeImage& in) const {
    const auto& [names, size_bytes] = in;
    return schema::CreateNodeImage(to_, texts(names), size_bytes);
  }

  static schema::PodPhase object(model::PodPhase phase) {
    return static_cast<schema::PodPhase>(phase);
  }

  static schema::QosClass object(std::optional<model::QosClass> told) {
    return told ? static_cast<schema::QosClass>(static_cast<int>(*told) + 1)
                : schema::QosClass::Computed;
  }

  static schema::PodReady object(model::PodReady ready) {
    return static_cast<schema::PodReady>(ready);
  }

  Builder& to_;
};

static_assert(
    static_cast<int>(model::PodPhase::kUnknown) == static_cast<int>(schema::PodPhase::Unknown) &&
    static_cast<int>(model::PodPhase::kPending) == static_cast<int>(schema::PodPhase::Pending) &&
    static_cast<int>(model::PodPhase::kRunning) == static_cast<int>(schema::PodPhase::Running) &&
    static_cast<int>(model::PodPhase::kSucceeded) ==
        static_cast<int>(schema::PodPhase::Succeeded) &&
    static_cast<int>(model::PodPhase::kFailed) == static_cast<int>(schema::PodPhase::Failed));

static_assert(static_cast<int>(model::QosClass::kBestEffort) + 1 ==
                  static_cast<int>(schema::QosClass::BestEffort) &&
              static_cast<int>(model::QosClass::kBurstable) + 1 ==
                  static_cast<int>(schema::QosClass::Burstable) &&
              static_cast<int>(model::QosClass::kGuaranteed) + 1 ==
                  static_cast<int>(schema::QosClass::Guaranteed));

static_assert(static_cast<int>(model::PodReady::kNotTold) ==
                  static_cast<int>(schema::PodReady::NotTold) &&
              static_cast<int>(model::PodReady::kFalse) ==
                  static_cast<int>(schema::PodReady::False) &&
              static_cast<int>(model::PodReady::kTrue) == static_cast<int>(schema::PodReady::True));

}  // namespace

Offset<schema::PodSpec> encode(Builder& to, const model::PodSpec& spec) {
  return Encoder(to).object(spec);
}

Offset<schema::Node> encode(Builder& to, const model::Node& node) {
  return Encoder(to).object(node);
}

Offset<schema::Namespace> encode(Builder& to, const model::Namespace& object) {
  return Encoder(to).object(object);
}

Offset<schema::SelectorOwner> encode(Builder& to, const model::SelectorOwner& owner) {
  return Encoder(to).object(owner);
}

Offset<schema::DisruptionBudget> encode(Builder& to, const model::DisruptionBudget& budget) {
  return Encoder(to).object(budget);
}

Offset<flatbuffers::String> encode(Builder& to, const model::VolumeObject& object) {
  std::string json;
  append(object, json);
  return to.CreateString(json);
}

Offset<flatbuffers::String> encode(Builder& to, const model::PodGroup& group) {
  std::string json;
  append(group, json);
  return to.CreateString(json);
}

Offset<flatbuffers::String> encode(Builder& to, const model::EvictionRequest& request) {
  std::string json;
  append(request, json);
  return to.CreateString(json);
}

Offset<flatbuffers::String> encode(Builder& to, const model::ControllerObject& object) {
  std::string json;
  append(object, json);
  return to.CreateString(json);
}

Offset<schema::Controller> encode(Builder& to, const model::Controller& controller) {
  return Encoder(to).object(controller);
}

schema::SelectorOwnerKind encode(model::SelectorOwnerKind kind) {
  return static_cast<schema::SelectorOwnerKind>(static_cast<int>(kind) +
                                                1);  // in the schema 0 means none
}

static_assert(static_cast<int>(model::SelectorOwnerKind::kService) + 1 ==
                  static_cast<int>(schema::SelectorOwnerKind::Service) &&
              static_cast<int>(model::SelectorOwnerKind::kReplicationController) + 1 ==
                  static_cast<int>(schema::SelectorOwnerKind::ReplicationController) &&
              static_cast<int>(model::SelectorOwnerKind::kReplicaSet) + 1 ==
                  static_cast<int>(schema::SelectorOwnerKind::ReplicaSet) &&
              static_cast<int>(model::SelectorOwnerKind::kStatefulSet) + 1 ==
                  static_cast<int>(schema::SelectorOwnerKind::StatefulSet));

Offset<schema::Pod> encode(Builder& to, const TemplatePod& pod, uint32_t template_id) {
  return Encoder(to).object(pod, template_id);
}

}  // namespace berth::ingest
