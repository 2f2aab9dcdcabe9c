#pragma once

// The owners of a workload: Deployments, StatefulSets and so on. An OwnerSpec describes `count` of
// them; together they have consecutive numbers, in the order of the specs.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "loadgen/generate/cluster/namespaces.h"
#include "loadgen/generate/owners/owner_specs.h"
#include "loadgen/generate/pods/pod_claims.h"
#include "loadgen/generate/pods/pod_templates.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// All parameters `owner` are numbers below count(). Does not change.
class Owners {
 public:
  // All must outlive this.
  Owners(const WorkloadSpec& spec, uint64_t seed, const Namespaces& namespaces,
         const PodTemplates& templates, const PodClaims& claims);

  uint32_t count() const { return static_cast<uint32_t>(owners_.size()); }
  const OwnerSpec& spec(uint32_t owner) const { return spec_.owners[owners_[owner].spec]; }
  std::string name(uint32_t owner) const;
  OwnerIdentity identity(uint32_t owner) const;
  uint32_t namespace_number(uint32_t owner) const;
  // True if its pods have claims.
  bool has_claims(uint32_t owner) const;
  // Of an owner that is written as one.
  model::ControllerObject manifest(uint32_t owner) const;
  // Builds the spec of its pods, which all use one variant of the template.
  std::shared_ptr<model::PodSpec> pod_spec(uint32_t owner) const;

 private:
  struct Owner {
    uint32_t spec = 0;    // index into spec_.owners
    uint32_t number = 0;  // among the owners of that spec
  };

  const WorkloadSpec& spec_;
  uint64_t seed_;
  const Namespaces& namespaces_;
  const PodTemplates& templates_;
  const PodClaims& claims_;
  std::vector<Owner> owners_;
};

}  // namespace berth::loadgen
