#pragma once

// Kubernetes' classes of resource names, as the scheduler tells them apart. Facts of
// k8s.io/kubernetes v1.34.1 (pkg/apis/core/v1/helper, pkg/scheduler/util).

#include <string_view>

#include "berth/sdk/label_names.hpp"

namespace berth::sdk {

// In the namespace of Kubernetes: no prefix, or one that contains "kubernetes.io/".
inline bool is_native_resource(std::string_view name) {
  return name.find('/') == std::string_view::npos ||
         name.find("kubernetes.io/") != std::string_view::npos;
}

// Of somebody else's namespace, and a name that quota could carry as "requests.NAME".
inline bool is_extended_resource(std::string_view name) {
  constexpr std::string_view kRequests = "requests.";
  if (is_native_resource(name) || name.starts_with(kRequests)) return false;
  return is_qualified_name(concat(kRequests, name));
}

// Counted on nodes one by one, besides cpu, memory, ephemeral-storage and pods.
inline bool is_scalar_resource(std::string_view name) {
  return is_extended_resource(name) || name.starts_with("hugepages-") ||
         name.find("kubernetes.io/") != std::string_view::npos ||
         name.starts_with("attachable-volumes-");
}

}  // namespace berth::sdk
