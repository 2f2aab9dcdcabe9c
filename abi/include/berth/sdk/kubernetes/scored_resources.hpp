#pragma once

// Resources with weights, which the arguments of scoring plugins list, and the columns that such a
// plugin compares for a pod; and shapes, which turn utilisation into scores. Rules of
// kube-scheduler v1.34.1 (plugins/noderesources/resource_allocation.go,
// plugins/helper/shape_score.go).

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "berth/sdk/arithmetic.hpp"
#include "berth/sdk/config.hpp"
#include "berth/sdk/field_errors.hpp"
#include "berth/sdk/kubernetes/resource_names.hpp"
#include "berth/sdk/points/prepare.hpp"
#include "berth/sdk/services/numbers.hpp"

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

// A shape: a function from utilisation to score, given by points.
struct ShapePoint {
  int64_t utilisation;  // percent
  int64_t score;        // 0..10 as configured
};

// Score 0..100 by utilisation 0..100.
using UtilisationScores = std::array<int64_t, 101>;

// The points of a configured list, in order and unchecked.
inline std::vector<ShapePoint> read_shape(const Config& list) {
  std::vector<ShapePoint> shape;
  for (const Config& item : list.elements()) {
    if (!item.object()) continue;
    shape.push_back({item["utilization"].integer(0, INT32_MIN, INT32_MAX),
                     item["score"].integer(0, INT32_MIN, INT32_MAX)});
  }
  return shape;
}

// Reports what is wrong with the points at ".shape" of `config`. True: nothing is.
inline bool check_shape(const std::vector<ShapePoint>& shape, const Config& config) {
  bool good = !shape.empty();
  if (shape.empty()) config.error(required_value("at least one point must be specified"), ".shape");
  const auto report = [&](size_t i, std::string_view member, int64_t value, std::string_view what) {
    good = false;
    config.error(invalid_value(value, what), concat(".shape[", i, "]", member));
  };
  for (size_t i = 1; i < shape.size(); ++i) {
    if (shape[i - 1].utilisation < shape[i].utilisation) continue;
    report(i, ".utilization", shape[i].utilisation, "values must be sorted in increasing order");
    break;
  }
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i].utilisation < 0 || shape[i].utilisation > 100)
      report(i, ".utilization", shape[i].utilisation, "not in valid range [0, 100]");
    if (shape[i].score < 0 || shape[i].score > 10)
      report(i, ".score", shape[i].score, "not in valid range [0, 10]");
  }
  return good;
}

// Interpolates linearly between the points, by kube-scheduler's integer division; outside of them
// the score is that of the nearest point. Precondition: check_shape() returned true.
inline UtilisationScores interpolate(const std::vector<ShapePoint>& shape) {
  // Multiplies before it divides: scores 0..10 become 0..100.
  UtilisationScores scores{};
  size_t next = 0;
  for (int64_t p = 0; p <= 100; ++p) {
    while (next < shape.size() && shape[next].utilisation < p) ++next;
    int64_t& score = scores[static_cast<size_t>(p)];
    if (next == 0 || next == shape.size()) {
      score = 10 * (next == 0 ? shape.front() : shape.back()).score;
      continue;
    }
    const ShapePoint& from = shape[next - 1];
    const ShapePoint& to = shape[next];
    score = 10 * from.score + 10 * (to.score - from.score) * (p - from.utilisation) /
                                  (to.utilisation - from.utilisation);
  }
  return scores;
}

}  // namespace berth::sdk
