#include "engine/ingest/admission/policies/priority_classes.h"

#include <fmt/format.h>

#include "engine/ingest/admission/policies/decode_policies.h"

namespace berth::ingest {

std::optional<std::string> PriorityClasses::admit(const PriorityClass& object) {
  for (const auto& [name, other] : classes_)
    if (object.uid.empty() && object.global_default && other.global_default && name != object.name)
      return fmt::format(
          "priorityclasses.scheduling.k8s.io \"{}\" is forbidden: PriorityClass {} is already "
          "marked as default. Only one default can exist",
          object.name, name);
  put(object);
  return std::nullopt;
}

PriorityClasses::Given PriorityClasses::global_default() const {
  const PriorityClass* smallest = nullptr;
  for (const auto& [name, object] : classes_)
    if (object.global_default && (smallest == nullptr || object.value < smallest->value))
      smallest = &object;
  return smallest == nullptr ? Given() : Given{smallest->value, smallest->preemption_policy};
}

std::optional<std::string> PriorityClasses::apply(const PodAsked& asked,
                                                  model::PodSpec& spec) const {
  Given given;
  if (asked.priority_class.empty()) {
    if (spec.priority) return std::nullopt;
    given = global_default();
  } else if (const auto system = system_priority(asked.priority_class)) {
    given.priority = *system;
  } else if (const auto found = classes_.find(asked.priority_class); found != classes_.end()) {
    given = {found->second.value, found->second.preemption_policy};
  } else if (spec.priority) {
    return std::nullopt;
  } else {
    return "no PriorityClass with name " + asked.priority_class + " was found";
  }
  if (spec.priority && *spec.priority != given.priority)
    return fmt::format(
        "the integer value of priority ({}) must not be provided in pod spec; priority admission "
        "controller computed {} from the given PriorityClass name",
        *spec.priority, given.priority);
  if (!spec.preemption_policy.empty() && spec.preemption_policy != given.policy)
    return fmt::format(
        "the string value of PreemptionPolicy ({}) must not be provided in pod spec; priority "
        "admission controller computed {} from the given PriorityClass name",
        spec.preemption_policy, given.policy);
  spec.priority = given.priority;
  spec.preemption_policy = given.policy;
  return std::nullopt;
}

}  // namespace berth::ingest
