#pragma once

// ResourceQuotas, and what pods and claims use of them. Source: the admission plugin ResourceQuota
// and the quota evaluators of pods and claims. Internal to this module.

#include <bitset>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/ingest/admission/policies/policies.h"
#include "engine/ingest/workloads/workload.h"
#include "engine/model/objects/objects.h"
#include "engine/model/objects/volume_objects.h"

namespace berth::ingest {

class Quotas {
 public:
  void put(ResourceQuota quota);
  void remove(const std::string& namespace_name, const std::string& name);

  bool empty() const { return quotas_.empty(); }
  bool has(const std::string& namespace_name) const { return quotas_.contains(namespace_name); }

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
    size_t first = 0;                   // place of its limits
  };
  // The limit of a quota for one resource.
  struct Limit {
    uint32_t resource = 0;  // number of its name
    model::Quantity hard, used;
  };
  // Each new pod is compared with all quotas of its namespace, which may be many: their limits lie
  // side by side, and names are compared as numbers. Where `laid_out`, they have the amounts that
  // are used, otherwise the quotas.
  struct OfNamespace {
    std::map<std::string, Kept> by_name;
    std::vector<const Kept*> in_order;
    std::vector<Limit> limits;
    bool laid_out = false;
  };

  static std::span<Limit> limits(OfNamespace& in, const Kept& kept);
  void lay_out(OfNamespace& in);
  static void settle(OfNamespace& in);
  void take(const model::ResourceList& usage);
  std::string excess(const Kept& kept, std::span<const Limit> limits,
                     const model::ResourceList& usage) const;
  void add(std::span<Limit> limits) const;
  template <typename Counts>
  std::optional<std::string> charge(const std::string& namespace_name,
                                    const model::ResourceList& usage, Counts&& counts);
  template <typename Counts>
  void count(const std::string& namespace_name, const model::ResourceList& usage, Counts&& counts);

  std::map<std::string, OfNamespace> quotas_;
  std::map<std::string, uint32_t, std::less<>> resources_;  // numbers of names
  std::vector<model::Quantity> amounts_;                    // by number: of take()
};

// True if no container of the pod requests or limits cpu or memory.
bool is_best_effort(const model::PodSpec& spec, const PodAsked& asked);

}  // namespace berth::ingest
