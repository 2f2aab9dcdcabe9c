#pragma once

// ResourceQuotas, and what pods and claims use of them. Source: the admission plugin ResourceQuota
// and the quota evaluators of pods and claims. Internal to this module.

#include <bitset>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/ingest/admission/policies.h"
#include "engine/ingest/workloads/workload.h"
#include "engine/model/objects/objects.h"
#include "engine/model/objects/volume_objects.h"

namespace berth::ingest {

class Quotas {
 public:
  void put(ResourceQuota quota);
  void remove(const std::string& namespace_name, const std::string& name);

  bool empty() const { return quotas_.empty(); }

  // Counts a pod that is there, unless an API server counted it.
  void count(const model::Pod& pod, const PodAsked& asked);
  // Counts a new pod, or returns why it is refused.
  std::optional<std::string> admit(const model::Pod& pod, const PodAsked& asked);
  // The same of claims, which are in no scope.
  void count(const model::PersistentVolumeClaim& claim);
  std::optional<std::string> admit(const model::PersistentVolumeClaim& claim);

 private:
  struct Kept {
    ResourceQuota quota;
    bool counted_elsewhere = false;
    std::bitset<6> demands;             // the resources that each container has to name, of six
    std::vector<model::Quantity> used;  // in step with quota.hard
  };
  // Why the quota does not have this left.
  static std::optional<std::string> excess(const Kept& kept, const model::ResourceList& usage);
  template <typename Counts>
  std::optional<std::string> charge(const std::string& namespace_name,
                                    const model::ResourceList& usage, Counts&& counts);
  static model::ResourceList used_of(const Kept& kept);
  static void add(Kept& kept, const model::ResourceList& usage);
  template <typename Visit>
  void each_of(const std::string& namespace_name, Visit&& visit);
  std::map<std::string, std::map<std::string, Kept>> quotas_;  // by namespace and name
};

// True if no container of the pod requests or limits cpu or memory.
bool is_best_effort(const model::PodSpec& spec, const PodAsked& asked);

}  // namespace berth::ingest
