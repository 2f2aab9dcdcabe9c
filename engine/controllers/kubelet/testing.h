#pragma once

// Pods for the tests of kubelets.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/controllers/kubelet/eviction/usage.h"
#include "engine/controllers/kubelet/pod/pod.h"

namespace berth::controllers::kubelet::testing {

inline constexpr int64_t kMi = int64_t{1} << 20;
inline constexpr int64_t kGi = int64_t{1} << 30;

inline Amount amount(std::string_view text) { return Amount::parse(text).value(); }

// Resources and quantities, in any order.
using Texts = std::vector<std::pair<std::string, std::string>>;

inline Amounts amounts(const Texts& texts) {
  Amounts list;
  for (const auto& [resource, text] : texts) list.emplace_back(resource, amount(text));
  std::ranges::sort(list, {}, &Amounts::value_type::first);
  return list;
}

inline Container container(const Texts& requests, const Texts& limits = {},
                           std::string name = "c") {
  return {std::move(name), amounts(requests), amounts(limits)};
}

// A pod of the priority 0 with one container.
inline Pod pod(std::string name, const Texts& requests = {}, const Texts& limits = {}) {
  Pod made;
  made.namespace_name = "default";
  made.name = std::move(name);
  made.priority = 0;
  made.grace_seconds = 30;
  made.containers.push_back(container(requests, limits));
  return made;
}

// Of the container "c".
inline PodUsage memory_use(int64_t bytes) { return {{{.name = "c", .memory = bytes}}, {}, {}}; }
inline PodUsage disk_use(int64_t layer, int64_t logs) {
  PodUsage usage;
  usage.containers.push_back({.name = "c", .layer = layer, .logs = logs});
  return usage;
}

}  // namespace berth::controllers::kubelet::testing
