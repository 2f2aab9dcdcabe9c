#pragma once

// Validity of label and resource names. Sources: k8s.io/apimachinery util/validation;
// k8s.io/kubernetes apis/core/v1/helper.

#include <optional>
#include <string>
#include <string_view>

namespace berth::model {

// The field of a node that node selectors can ask for.
inline constexpr std::string_view kNodeNameField = "metadata.name";
// The scheduler of a pod that names none, and of a profile that names none.
inline constexpr char kDefaultSchedulerName[] = "default-scheduler";
// The label of a node that holds its name.
inline constexpr char kHostnameLabel[] = "kubernetes.io/hostname";

// Return the reason, in the API's words, why `text` is not a qualified name ("prefix/name", used
// for label keys and extended resources) or not a label value; nothing if it is valid.
[[nodiscard]] std::optional<std::string> qualified_name_problem(std::string_view text);
[[nodiscard]] std::optional<std::string> label_value_problem(std::string_view text);

// True for resources with a prefix other than kubernetes.io, such as example.com/gpu, as in
// kube-scheduler's IsExtendedResourceName.
bool is_extended_resource(std::string_view name);
// True for extended resources, hugepages, attachable volumes and prefixed native resources: the
// resources of a node's accounts besides cpu, memory, ephemeral storage and pods.
bool is_scalar_resource(std::string_view name);

}  // namespace berth::model
