#pragma once

// The changes that an API server with its default admission plugins makes to a pod that is created,
// beyond what the decoder of pods fills in: priority, LimitRanges, tolerations, RuntimeClass and
// ResourceQuotas.
//
// Differences, which are wanted: a pod that brings a priority and names no class that is known
// keeps it, since workloads are often written that way. Every pod that is not BestEffort tolerates
// memory pressure, as the documentation says, although the plugin that does so is not a default
// one.

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "engine/ingest/admission/policies/limit_ranges.h"
#include "engine/ingest/admission/policies/policies.h"
#include "engine/ingest/admission/policies/priority_classes.h"
#include "engine/ingest/admission/policies/quotas.h"
#include "engine/ingest/admission/policies/runtime_classes.h"
#include "engine/ingest/workloads/workload.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Admission plugins that are off by default, as in an API server.
struct OptionalPlugins {
  // ExtendedResourceToleration: pods tolerate taints with effect NoSchedule whose keys are the
  // resources with a domain that they request.
  bool extended_resource_toleration = false;
  // PodNodeSelector: pods get the node selector that their namespace's annotation, or else the
  // cluster, names.
  bool pod_node_selector = false;
  // PodTolerationRestriction: pods get the default tolerations of their namespace's annotation, or
  // else of the cluster, and may have none that the allowed ones do not cover.
  bool pod_toleration_restriction = false;
  ClusterRules cluster{};

  bool any() const {
    return extended_resource_toleration || pod_node_selector || pod_toleration_restriction;
  }
};

// One thread at a time.
class Admission {
 public:
  explicit Admission(OptionalPlugins plugins = {}) : plugins_(std::move(plugins)) {}

  // Adds objects, or replaces those of the same names.
  void put(const Policies& policies);
  void remove(const Policies& policies);
  // A pod or claim that is there counts in quotas that have no status.
  void count(const model::Pod& pod, const PodAsked& asked) { quotas_.count(pod, asked); }
  void count(const model::PersistentVolumeClaim& claim) { quotas_.count(claim); }

  bool has_quotas() const { return !quotas_.empty(); }
  bool has_quota(const std::string& namespace_name) const { return quotas_.has(namespace_name); }

  // True if this pod is created here: it waits for a node and no API server gave it a UID.
  static bool creates(const model::Pod& pod);

  // Completes the pod. If it is refused, returns why, in the API server's words.
  // `again`: no quota counts it.
  std::optional<std::string> admit(model::Pod& pod, const PodAsked& asked, bool again = false);
  // The same of a claim, with its class.
  std::optional<std::string> admit(const model::PersistentVolumeClaim& claim);
  // The same of a PriorityClass, see PriorityClasses.
  std::optional<std::string> admit(const PriorityClass& object) {
    return priority_classes_.admit(object);
  }

 private:
  // Of a namespace without annotations, and of one that is not known, there are none.
  const NamespaceRules& rules_of(const std::string& namespace_name) const;

  OptionalPlugins plugins_;
  PriorityClasses priority_classes_;
  RuntimeClasses runtime_classes_;
  LimitRanges limit_ranges_;
  std::map<std::string, NamespaceRules> namespaces_;
  Quotas quotas_;
};

}  // namespace berth::ingest
