#include "loadgen/generate/owners/owners.h"

#include "loadgen/generate/draws/draws.h"
#include "loadgen/generate/names.h"

namespace berth::loadgen {

Owners::Owners(const WorkloadSpec& spec, uint64_t seed, const Namespaces& namespaces,
               const PodTemplates& templates, const PodClaims& claims)
    : spec_(spec), seed_(seed), namespaces_(namespaces), templates_(templates), claims_(claims) {
  for (uint32_t i = 0; i < spec.owners.size(); ++i)
    for (uint32_t number = 0; number < spec.owners[i].count; ++number)
      owners_.push_back({i, number});
}

std::string Owners::name(uint32_t owner) const {
  return numbered_name(spec(owner).name, spec(owner).count, owners_[owner].number);
}

OwnerIdentity Owners::identity(uint32_t owner) const {
  OwnerIdentity identity;
  identity.kind = spec(owner).kind;
  identity.name = name(owner);
  identity.namespace_name = namespaces_.name(namespace_number(owner));
  if (identity.kind == OwnerKind::kDeployment)
    identity.hash = template_hash(drawn(seed_, For::kHash, owner, 0));
  return identity;
}

uint32_t Owners::namespace_number(uint32_t owner) const {
  return namespaces_.in_turn(spec(owner).namespaces, owners_[owner].number);
}

bool Owners::has_claims(uint32_t owner) const {
  return claims_.has(spec(owner).pod_template, name(owner));
}

model::ControllerObject Owners::manifest(uint32_t owner) const {
  const uint32_t pod_template = spec(owner).pod_template;
  const uint32_t variant =
      templates_.variant(pod_template, drawn(seed_, For::kVariant, owner, 1ull << 63));
  const int64_t replicas = spec(owner).replicas.draw(drawn(seed_, For::kReplicas, owner, 0));
  return manifest_of(identity(owner), *templates_.spec(pod_template, variant, false), replicas);
}

std::shared_ptr<model::PodSpec> Owners::pod_spec(uint32_t owner) const {
  const uint32_t pod_template = spec(owner).pod_template;
  const uint32_t variant =
      templates_.variant(pod_template, drawn(seed_, For::kVariant, owner, 1ull << 63));
  auto made =
      std::make_shared<model::PodSpec>(*templates_.spec(pod_template, variant, has_claims(owner)));
  make_own(identity(owner), *made);
  return made;
}

}  // namespace berth::loadgen
