#include "loadgen/generate/owners/owned_pods.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "loadgen/generate/pods/pod_identity.h"

namespace berth::loadgen {

OwnedPods::OwnedPods(const GeneratedCluster& cluster, PodWriter& writer, Lifetimes& lifetimes)
    : cluster_(cluster), writer_(writer), lifetimes_(lifetimes), pods_(cluster.owners.count()) {}

void OwnedPods::add(uint32_t owner) {
  const Owners& owners = cluster_.owners;
  const OwnerSpec& spec = owners.spec(owner);
  Pods& pods = pods_[owner];
  if (pods.template_id == UINT32_MAX) pods.template_id = writer_.define(owners.pod_spec(owner));
  const bool stateful = spec.kind == OwnerKind::kStatefulSet;
  const uint32_t number = stateful ? static_cast<uint32_t>(pods.living.size()) : pods.next++;
  const PodIdentity pod{.number = number,
                        .of = owner,
                        .namespace_number = owners.namespace_number(owner),
                        .kind = PodOf::kOwner,
                        .finishes = true};
  name_pod(cluster_, pod, name_);
  writer_.add(pods.template_id, pod.namespace_number, name_);
  if (stateful) {
    writer_.label("apps.kubernetes.io/pod-index", std::to_string(number));
    writer_.label("statefulset.kubernetes.io/pod-name", name_);
  }
  writer_.controller(controller_of(owners.identity(owner)));
  if (owners.has_claims(owner)) {
    const bool exist = stateful && number < pods.claimed;
    writer_.claims(spec.pod_template, pod.namespace_number, name_, exist);
    pods.claimed = std::max(pods.claimed, number + 1);
  }
  if (spec.kind == OwnerKind::kJob) {
    if (spec.lifetime) lifetimes_.begin(pod, *spec.lifetime, owner, uint64_t{1} << 63 | number);
  } else {
    pods.living.push_back(number);
  }
}

size_t OwnedPods::scale(uint32_t owner, size_t wanted, LoadStep& step) {
  const OwnerIdentity who = cluster_.owners.identity(owner);
  BERTH_ASSERT(who.kind != OwnerKind::kJob);
  // A StatefulSet keeps the claims of its pods.
  const bool claims = who.kind != OwnerKind::kStatefulSet && cluster_.owners.has_claims(owner);
  const uint32_t pod_template = cluster_.owners.spec(owner).pod_template;
  std::vector<uint32_t>& living = pods_[owner].living;
  for (; living.size() > wanted; living.pop_back()) {
    name_pod(cluster_, {.number = living.back(), .of = owner, .kind = PodOf::kOwner}, name_);
    step.events.push_back(model::deleted_pod(who.namespace_name, name_));
    if (claims) cluster_.claims.remove(pod_template, who.namespace_name, name_, step);
  }
  return wanted - living.size();
}

}  // namespace berth::loadgen
