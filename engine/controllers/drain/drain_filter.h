#pragma once

// Which pods of a node `kubectl drain` evicts. Source: k8s.io/kubectl pkg/drain/filters.go.
//
// A DaemonSet to which a pod refers is taken to exist.

#include <string>
#include <string_view>
#include <vector>

#include "engine/controllers/drain/drain_options.h"

namespace berth::controllers {

// A pod of the node that has not finished.
struct DrainPod {
  std::string namespace_name, name;
  std::string owner_api_version{}, owner_kind{};  // of the controller; empty: the pod has none
  bool mirror = false;
  bool empty_dir = false;  // has such a volume

  std::string full_name() const { return namespace_name + "/" + name; }
};

struct DrainVerdict {
  enum class Kind { kEvict, kLeave, kRefuse } kind;
  std::string_view reason{};  // why it stays, or why the drain is refused; may be empty
  bool operator==(const DrainVerdict&) const = default;
};

DrainVerdict judge(const DrainPod& pod, const DrainOptions& options);

// Kubectl's error about the pods for which a drain is refused, with all their names; empty: none of
// the pods is in its way. Pods keep their order.
std::string drain_refusal(const std::vector<DrainPod>& pods, const DrainOptions& options);

// Several errors as one text: those that differ, in brackets if there are several.
std::string joined_errors(const std::vector<std::string>& errors);

}  // namespace berth::controllers
