#pragma once

// Kubernetes' classes of resource names, as kube-scheduler v1.34.1 defines them
// (pkg/apis/core/v1/helper, pkg/scheduler/util).

#include <string_view>

#include "berth/abi/numbers.h"
#include "berth/sdk/kubernetes/label_names.hpp"

namespace berth::sdk {

// A name of Kubernetes' own: without a prefix, or with a prefix that contains "kubernetes.io/".
inline bool is_native_resource(std::string_view name) {
  return name.find('/') == std::string_view::npos ||
         name.find("kubernetes.io/") != std::string_view::npos;
}

// A name with another prefix that is also valid in a quota, as "requests.NAME".
inline bool is_extended_resource(std::string_view name) {
  constexpr std::string_view kRequests = "requests.";
  if (is_native_resource(name) || name.starts_with(kRequests)) return false;
  return is_qualified_name(concat(kRequests, name));
}

// A scalar resource: one that kube-scheduler counts by name, other than cpu, memory,
// ephemeral-storage and pods.
inline bool is_scalar_resource(std::string_view name) {
  return is_extended_resource(name) || name.starts_with("hugepages-") ||
         name.find("kubernetes.io/") != std::string_view::npos ||
         name.starts_with("attachable-volumes-");
}

// The unit of amounts of the resource: one of BERTH_UNIT_.
inline uint32_t unit_of(std::string_view resource) {
  if (resource == "cpu") return BERTH_UNIT_MILLI_CPU;
  const bool bytes =
      resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
  return bytes ? BERTH_UNIT_BYTES : BERTH_UNIT_ONE;
}

}  // namespace berth::sdk
