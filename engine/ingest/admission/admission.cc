#include "engine/ingest/admission/admission.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "engine/ingest/admission/namespaces/namespace_rules.h"
#include "engine/ingest/admission/pods/default_tolerations.h"
#include "engine/ingest/admission/pods/match_label_keys.h"
#include "engine/ingest/admission/policies/decode_policies.h"
#include "engine/ingest/validation/resource_rules.h"
#include "engine/ingest/workloads/pod_names.h"

namespace berth::ingest {
namespace {

constexpr const char kPreempts[] = "PreemptLowerPriority";

// Several texts as one, as the API server prints them.
std::string in_one(const std::vector<std::string>& texts) {
  return texts.size() == 1 ? texts[0] : fmt::format("[{}]", fmt::join(texts, ", "));
}

// A LimitRange gives a limit to a container whose request is above it. An API server validates the
// pod after the plugins that complete it, and before those that only refuse.
std::optional<std::string> invalid_requests(const model::Pod& pod) {
  FieldErrors errors;
  {
    const FieldErrors::Within in_spec(errors, "spec");
    check_requests_against_limits(pod.spec, errors);
  }
  std::vector<std::string> texts;
  for (const FieldError& error : errors.take()) texts.push_back(error.path + ": " + error.message);
  if (texts.empty()) return std::nullopt;
  return fmt::format("Pod \"{}\" is invalid: {}", pod.name, in_one(texts));
}

}  // namespace

std::optional<std::string> Admission::admit(const PriorityClass& object) {
  for (const auto& [name, other] : priority_classes_)
    if (object.uid.empty() && object.global_default && other.global_default && name != object.name)
      return fmt::format(
          "priorityclasses.scheduling.k8s.io \"{}\" is forbidden: PriorityClass {} is already "
          "marked as default. Only one default can exist",
          object.name, name);
  priority_classes_[object.name] = object;
  return std::nullopt;
}

void Admission::put(const Policies& policies) {
  for (const PriorityClass& object : policies.priority_classes)
    priority_classes_[object.name] = object;
  for (const RuntimeClass& object : policies.runtime_classes)
    runtime_classes_[object.name] = object;
  for (const LimitRange& object : policies.limit_ranges) limit_ranges_.put(object);
  for (const ResourceQuota& object : policies.quotas) quotas_.put(object);
  for (const NamespaceRules& rules : policies.namespaces) namespaces_[rules.name] = rules;
}

void Admission::remove(const Policies& policies) {
  for (const PriorityClass& object : policies.priority_classes)
    priority_classes_.erase(object.name);
  for (const RuntimeClass& object : policies.runtime_classes) runtime_classes_.erase(object.name);
  for (const LimitRange& object : policies.limit_ranges)
    limit_ranges_.remove(object.namespace_name, object.name);
  for (const ResourceQuota& object : policies.quotas)
    quotas_.remove(object.namespace_name, object.name);
  for (const NamespaceRules& rules : policies.namespaces) namespaces_.erase(rules.name);
}

const NamespaceRules& Admission::rules_of(const std::string& namespace_name) const {
  static const NamespaceRules none;
  const auto known = namespaces_.find(namespace_name);
  return known == namespaces_.end() ? none : known->second;
}

bool Admission::creates(const model::Pod& pod) {
  return pod.uid.empty() && !pod.bound() && !pod.finished() && !pod.terminating;
}

std::optional<std::string> Admission::set_priority(const PodAsked& asked,
                                                   model::PodSpec& spec) const {
  int32_t priority = 0;
  std::string policy = kPreempts;
  if (asked.priority_class.empty()) {
    if (spec.priority) return std::nullopt;
    const PriorityClass* smallest = nullptr;
    for (const auto& [name, object] : priority_classes_)
      if (object.global_default && (smallest == nullptr || object.value < smallest->value))
        smallest = &object;
    if (smallest != nullptr) {
      priority = smallest->value;
      policy = smallest->preemption_policy;
    }
  } else if (const auto system = system_priority(asked.priority_class)) {
    priority = *system;
  } else if (const auto found = priority_classes_.find(asked.priority_class);
             found != priority_classes_.end()) {
    priority = found->second.value;
    policy = found->second.preemption_policy;
  } else if (spec.priority) {
    return std::nullopt;
  } else {
    return "no PriorityClass with name " + asked.priority_class + " was found";
  }
  if (spec.priority && *spec.priority != priority)
    return fmt::format(
        "the integer value of priority ({}) must not be provided in pod spec; priority admission "
        "controller computed {} from the given PriorityClass name",
        *spec.priority, priority);
  if (!spec.preemption_policy.empty() && spec.preemption_policy != policy)
    return fmt::format(
        "the string value of PreemptionPolicy ({}) must not be provided in pod spec; priority "
        "admission controller computed {} from the given PriorityClass name",
        spec.preemption_policy, policy);
  spec.priority = priority;
  spec.preemption_policy = policy;
  return std::nullopt;
}

std::optional<std::string> Admission::set_runtime(const PodAsked& asked,
                                                  model::PodSpec& spec) const {
  if (asked.runtime_class.empty()) {
    if (!asked.has_overhead) return std::nullopt;
    return "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
  }
  const auto found = runtime_classes_.find(asked.runtime_class);
  if (found == runtime_classes_.end())
    return fmt::format("pod rejected: RuntimeClass \"{}\" not found", asked.runtime_class);
  const RuntimeClass& runtime = found->second;
  if (asked.has_overhead && !runtime.has_overhead)
    return "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
  if (asked.has_overhead && spec.overhead != runtime.overhead)
    return "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
  if (runtime.has_overhead) spec.overhead = runtime.overhead;
  for (const auto& [key, value] : runtime.node_selector) {
    const auto own = label_of(spec.node_selector, key);
    if (own && *own != value)
      return fmt::format(
          "conflict: runtimeClass.scheduling.nodeSelector[{}] = {}; pod.spec.nodeSelector[{}] = {}",
          key, value, key, *own);
    set_label(spec.node_selector, key, value);
    spec.has_node_selector = true;
  }
  for (const model::Toleration& toleration : runtime.tolerations) add_toleration(toleration, spec);
  return std::nullopt;
}

std::optional<std::string> Admission::admit(model::Pod& pod, const PodAsked& asked, bool again) {
  model::PodSpec& spec = pod.spec;
  const auto refused = [&](const std::string& why) {
    return fmt::format("pods \"{}\" is forbidden: {}", pod.name, why);
  };
  limit_ranges_.apply_defaults(pod);
  const NamespaceRules& rules = rules_of(pod.namespace_name);
  if (plugins_.pod_node_selector)
    if (const auto why = add_node_selector(rules, plugins_.cluster, spec)) return refused(*why);
  if (const auto why = set_priority(asked, spec)) return refused(*why);
  tolerate_for_a_while(spec);
  if (plugins_.pod_toleration_restriction)
    if (const auto why = add_tolerations(rules, plugins_.cluster, spec)) return refused(*why);
  if (plugins_.extended_resource_toleration) tolerate_requested(spec);
  if (!is_best_effort(spec, asked))
    add_toleration({"node.kubernetes.io/memory-pressure", "Exists", "", "NoSchedule"}, spec);
  if (const auto why = set_runtime(asked, spec)) return refused(*why);
  if (const auto why = invalid_requests(pod)) return why;
  if (const auto broken = limit_ranges_.broken(pod); !broken.empty())
    return refused(in_one(broken));
  if (plugins_.pod_node_selector)
    if (const auto why = check_node_selector(pod.namespace_name, plugins_.cluster, spec))
      return refused(*why);
  if (plugins_.pod_toleration_restriction)
    if (const auto why = check_tolerations(rules, plugins_.cluster, spec)) return refused(*why);
  if (again) return std::nullopt;
  if (const auto why = quotas_.admit(pod, asked)) return refused(*why);
  return std::nullopt;
}

std::optional<std::string> Admission::admit(const model::PersistentVolumeClaim& claim) {
  const auto refused = [&](const std::string& why) {
    return fmt::format("persistentvolumeclaims \"{}\" is forbidden: {}", claim.name, why);
  };
  if (const auto broken = limit_ranges_.broken(claim); !broken.empty())
    return refused(in_one(broken));
  if (const auto why = quotas_.admit(claim)) return refused(*why);
  return std::nullopt;
}

}  // namespace berth::ingest
