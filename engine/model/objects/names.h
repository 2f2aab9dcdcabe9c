#pragma once

// Kubernetes' rules for names of labels and resources.
// Source: k8s.io/apimachinery util/validation; k8s.io/kubernetes apis/core/v1/helper.

#include <string>
#include <string_view>

namespace berth::model {

// Why `text` is no qualified name ("prefix/name", as label keys and extended resources are) or no
// label value, in the API's words; empty if it is one.
std::string qualified_name_problem(std::string_view text);
std::string label_value_problem(std::string_view text);

bool is_extended_resource(std::string_view name);
// Extended resources, hugepages, attachable volumes and prefixed native ones: what a node's
// accounts hold besides cpu, memory, ephemeral storage and pods.
bool is_scalar_resource(std::string_view name);

}  // namespace berth::model
