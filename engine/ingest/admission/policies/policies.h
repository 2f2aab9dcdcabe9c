#pragma once

// Objects that the admission of pods reads, as plain values. Field names follow the Kubernetes API.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/objects/objects.h"

namespace berth::ingest {

struct PriorityClass {
  std::string name;
  std::string uid;  // empty: it is created here
  int32_t value = 0;
  bool global_default = false;
  std::string preemption_policy;  // empty: PreemptLowerPriority
};

struct RuntimeClass {
  std::string name;
  bool has_overhead = false;
  model::ResourceList overhead;  // overhead.podFixed
  model::StringMap node_selector;
  std::vector<model::Toleration> tolerations;
};

// With the defaults that an API server fills in for containers.
struct LimitRangeItem {
  std::string type;  // Container, Pod, PersistentVolumeClaim
  model::ResourceList max, min, defaults, default_requests, max_ratio;
};

struct LimitRange {
  std::string name, namespace_name;
  std::vector<LimitRangeItem> limits;
};

struct ResourceQuota {
  std::string name, namespace_name;
  model::ResourceList hard;
  // status.used, if an API server counted; otherwise pods are counted as they come.
  std::optional<model::ResourceList> used;
  std::vector<model::Requirement> scopes;  // of scopes and scopeSelector; the key is the scope
};

// Of a namespace's annotations, see namespaces/namespace_rules.h. Nothing: the namespace has no
// such annotation. A problem: what is wrong with them; empty if nothing is.
struct NamespaceRules {
  std::string name;
  std::optional<model::StringMap> node_selector;
  std::string node_selector_problem;
  std::optional<std::vector<model::Toleration>> default_tolerations;
  std::optional<std::vector<model::Toleration>> allowed_tolerations;  // empty: all are allowed
  std::string tolerations_problem;
};

// Of all namespaces, see namespaces/admission_configuration.h.
struct ClusterRules {
  // For namespaces without the annotation.
  model::StringMap node_selector;
  std::vector<model::Toleration> default_tolerations;
  std::vector<model::Toleration> allowed_tolerations;  // empty: all are allowed
  // By namespace: labels outside of which no node selector of a pod may be; none: all are allowed.
  std::map<std::string, model::StringMap> allowed_labels;
};

struct Policies {
  std::vector<PriorityClass> priority_classes;
  std::vector<RuntimeClass> runtime_classes;
  std::vector<LimitRange> limit_ranges;
  std::vector<ResourceQuota> quotas;
  std::vector<NamespaceRules> namespaces;  // one for each Namespace object

  // Objects that are policies and nothing else.
  size_t size() const {
    return priority_classes.size() + runtime_classes.size() + limit_ranges.size() + quotas.size();
  }
};

}  // namespace berth::ingest
