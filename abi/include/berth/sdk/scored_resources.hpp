#pragma once

// Resources with weights, which the arguments of scoring plugins list, and the columns that such a
// plugin compares for a pod. Rules of kube-scheduler v1.34.1
// (plugins/noderesources/resource_allocation.go).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "berth/sdk/arithmetic.hpp"
#include "berth/sdk/config.hpp"
#include "berth/sdk/numbers.hpp"
#include "berth/sdk/prepare.hpp"
#include "berth/sdk/resource_names.hpp"

namespace berth::sdk {

struct ResourceSpec {
  std::string name;
  int64_t weight = 1;
};

// Reads [{name, weight}, ...]. An absent or empty list means cpu and memory; an absent or zero
// weight means 1.
inline std::vector<ResourceSpec> read_resources(const Config& list) {
  std::vector<ResourceSpec> resources;
  for (const Config& item : list.elements()) {
    if (!item.object()) {
      if (!item.present()) item.error("must be an object");
      continue;
    }
    const int64_t weight = item["weight"].integer();
    resources.push_back({std::string(item["name"].text()), weight == 0 ? 1 : weight});
  }
  if (resources.empty()) resources = {{"cpu", 1}, {"memory", 1}};
  return resources;
}

// One resource as it is scored for one pod.
struct ScoredResource {
  std::string name;
  Slot<int64_t> allocatable;
  Slot<int64_t> used;   // requested by the pods on the node
  int64_t request = 0;  // requested by this pod
  int64_t weight = 1;
};

// A pod's requests: two lists in step. Names are string ids.
struct Requests {
  std::span<const uint32_t> names;
  std::span<const int64_t> amounts;

  int64_t of(uint32_t name) const {
    for (size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return amounts[i];
    return 0;
  }
};

// Adds the columns of the resources that count for a pod with these requests. Leaves out scalar
// resources that the pod does not request, and names that no node can have. `cpu_and_memory` is the
// family of columns with the cpu and memory in use ("node.nonzero_requested:").
inline std::vector<ScoredResource> add_scored(Preparation& prepared, const Strings& strings,
                                              std::span<const ResourceSpec> specs,
                                              const Requests& requests,
                                              std::string_view cpu_and_memory) {
  std::vector<ScoredResource> scored;
  for (const ResourceSpec& spec : specs) {
    const bool basic = spec.name == "cpu" || spec.name == "memory";
    const int64_t request = requests.of(strings.intern(spec.name));
    if (is_scalar_resource(spec.name) ? request == 0 : !basic && spec.name != "ephemeral-storage")
      continue;
    scored.push_back(
        {spec.name, prepared.add<int64_t>(concat("node.allocatable:", spec.name)),
         prepared.add<int64_t>(concat(basic ? cpu_and_memory : "node.requested:", spec.name)),
         request, spec.weight});
  }
  return scored;
}

// The numbers behind the score of a node: for each resource what is requested with the pod, and
// what is allocatable. `call`: of the hook whose `prepare` added the resources.
template <class Call>
void write_scored(const Call& call, std::span<const ScoredResource> resources, Numbers& numbers) {
  for (const ScoredResource& resource : resources) {
    const uint32_t unit = unit_of(resource.name);
    numbers.item(resource.name)
        .number("requested", wrapping_add(call[resource.used][0], resource.request), unit)
        .number("allocatable", call[resource.allocatable][0], unit);
  }
}

}  // namespace berth::sdk
