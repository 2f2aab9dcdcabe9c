#pragma once

// The names in former configurations of kube-scheduler, and their counterparts in v1.

#include <span>
#include <string_view>

namespace berth::config {

// A predicate or a priority of a Policy.
struct FormerName {
  std::string_view name;
  std::string_view plugins;  // what to enable, as a phrase: "the plugin A at score"
};

std::span<const FormerName> former_predicates();
std::span<const FormerName> former_priorities();

// The work of a predicate or priority of a user's own name, by the member of its `argument`.
struct FormerArgument {
  std::string_view member;
  std::string_view plugins;
};

std::span<const FormerArgument> former_predicate_arguments();
std::span<const FormerArgument> former_priority_arguments();

// A field that v1 does not have.
struct FormerField {
  // With names alone: "profiles.plugins.unreserve" is that field in each profile.
  std::string_view path;
  std::string_view instead;  // what to write: "write schedulerName in profiles[0]"
};

std::span<const FormerField> former_configuration_fields();
std::span<const FormerField> former_policy_fields();

}  // namespace berth::config
