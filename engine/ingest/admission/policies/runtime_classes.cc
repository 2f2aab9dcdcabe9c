#include "engine/ingest/admission/policies/runtime_classes.h"

#include <fmt/format.h>

#include <utility>

#include "engine/ingest/admission/pods/default_tolerations.h"
#include "engine/ingest/admission/pods/match_label_keys.h"
#include "engine/ingest/workloads/pod_names.h"

namespace berth::ingest {

std::optional<std::string> RuntimeClasses::apply(const PodAsked& asked,
                                                 model::PodSpec& spec) const {
  if (asked.runtime_class.empty()) {
    if (!asked.has_overhead) return std::nullopt;
    return "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
  }
  const auto found = classes_.find(asked.runtime_class);
  if (found == classes_.end())
    return fmt::format("pod rejected: RuntimeClass \"{}\" not found", asked.runtime_class);
  const RuntimeClass& runtime = found->second;
  if (asked.has_overhead && !runtime.has_overhead)
    return "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
  if (asked.has_overhead && spec.overhead != runtime.overhead)
    return "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
  if (runtime.has_overhead) spec.overhead = runtime.overhead;
  for (const auto& [key, value] : runtime.node_selector) {
    const auto own = label_of(spec.node_selector, key);
    if (own && *own != value)
      return fmt::format(
          "conflict: runtimeClass.scheduling.nodeSelector[{}] = {}; pod.spec.nodeSelector[{}] = {}",
          key, value, key, *own);
    set_label(spec.node_selector, key, value);
    spec.has_node_selector = true;
  }
  if (!runtime.tolerations.empty())
    spec.tolerations = merged_tolerations(std::move(spec.tolerations), runtime.tolerations);
  return std::nullopt;
}

}  // namespace berth::ingest
