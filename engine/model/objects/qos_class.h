#pragma once

// The class of a pod, by which its kubelet protects it from others: computed from requests and
// limits of cpu and memory. Source: k8s.io/kubernetes pkg/apis/core/v1/helper/qos; v1.34 and v1.36
// agree.

#include <array>
#include <optional>
#include <string_view>

#include "engine/model/objects/objects.h"

namespace berth::model {

// "Guaranteed", "Burstable" or "BestEffort".
std::string_view qos_class_name(QosClass of);
// Nothing: no class has this name.
std::optional<QosClass> read_qos_class(std::string_view name);

// Adds up the parts of a pod that have resources.
class QosSums {
 public:
  static constexpr std::array<std::string_view, 2> kResources = {"cpu", "memory"};
  // In the order of kResources; null: the list does not have the resource. Amounts that are not
  // positive count as absent.
  using Amounts = std::array<const Quantity*, kResources.size()>;

  void add_container(const Amounts& requests, const Amounts& limits);
  // For a pod with resources of its own, whose containers do not count. `has_limits`: it limits
  // some resource.
  void add_pod(const Amounts& requests, const Amounts& limits, bool has_limits);

  QosClass qos_class() const;

 private:
  using Sums = std::array<std::optional<Quantity>, kResources.size()>;

  void add(const Amounts& requests, const Amounts& limits);

  Sums requests_, limits_;
  bool limited_ = true;  // every part limits all resources
};

// `pod_limits`: spec.resources.limits.
QosClass computed_qos_class(const PodSpec& spec, const ResourceList& pod_limits = {});
// The class that the spec names, or else the computed one.
QosClass qos_class(const PodSpec& spec);

}  // namespace berth::model
