#include "engine/ingest/admission/admission.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/ingest/admission/namespaces/namespace_rules.h"
#include "engine/ingest/admission/pods/default_tolerations.h"
#include "engine/ingest/validation/resource_rules.h"

namespace berth::ingest {
namespace {

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

void Admission::put(const Policies& policies) {
  for (const PriorityClass& object : policies.priority_classes) priority_classes_.put(object);
  for (const RuntimeClass& object : policies.runtime_classes) runtime_classes_.put(object);
  for (const LimitRange& object : policies.limit_ranges) limit_ranges_.put(object);
  for (const ResourceQuota& object : policies.quotas) quotas_.put(object);
  for (const NamespaceRules& rules : policies.namespaces) namespaces_[rules.name] = rules;
}

void Admission::remove(const Policies& policies) {
  for (const PriorityClass& object : policies.priority_classes)
    priority_classes_.remove(object.name);
  for (const RuntimeClass& object : policies.runtime_classes) runtime_classes_.remove(object.name);
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

std::optional<std::string> Admission::admit(model::Pod& pod, const PodAsked& asked, bool again) {
  model::PodSpec& spec = pod.spec;
  const auto refused = [&](const std::string& why) {
    return fmt::format("pods \"{}\" is forbidden: {}", pod.name, why);
  };
  limit_ranges_.apply_defaults(pod);
  const NamespaceRules& rules = rules_of(pod.namespace_name);
  if (plugins_.pod_node_selector)
    if (const auto why = add_node_selector(rules, plugins_.cluster, spec)) return refused(*why);
  if (const auto why = priority_classes_.apply(asked, spec)) return refused(*why);
  tolerate_for_a_while(spec);
  if (plugins_.pod_toleration_restriction)
    if (const auto why = add_tolerations(rules, plugins_.cluster, spec)) return refused(*why);
  if (plugins_.extended_resource_toleration) tolerate_requested(spec);
  if (!is_best_effort(spec, asked))
    add_toleration({"node.kubernetes.io/memory-pressure", "Exists", "", "NoSchedule"},
                   spec.tolerations);
  if (const auto why = runtime_classes_.apply(asked, spec)) return refused(*why);
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
