#include "engine/ingest/workloads/ephemeral_claims.h"

#include <set>
#include <string_view>
#include <vector>

#include "engine/ingest/workloads/pod_names.h"
#include "engine/model/objects/ephemeral_claim_name.h"

namespace berth::ingest {
namespace {

// Other than that of a claim that a StatefulSet makes.
std::string claim_uid(const model::PersistentVolumeClaim& claim) {
  return made_uid("PersistentVolumeClaim of a pod", claim.namespace_name, claim.name);
}

}  // namespace

std::vector<model::PersistentVolumeClaim> ephemeral_claims(model::Pod& pod, const PodAsked& asked) {
  if (pod.uid.empty()) pod.uid = made_uid("Pod", pod.namespace_name, pod.name);
  std::vector<model::PersistentVolumeClaim> claims = asked.ephemeral_claims;
  // A claim of a StatefulSet may have taken the place of a volume.
  std::set<std::string_view> ephemeral;
  for (const model::PodVolume& volume : pod.spec.volumes)
    if (volume.ephemeral) ephemeral.insert(volume.claim);
  std::erase_if(claims, [&](const model::PersistentVolumeClaim& claim) {
    return !ephemeral.contains(claim.name);
  });
  for (model::PersistentVolumeClaim& claim : claims) {
    claim.namespace_name = pod.namespace_name;
    claim.name = model::ephemeral_claim_name(pod.name, claim.name);
    claim.uid = claim_uid(claim);
    claim.owner_uid = pod.uid;
  }
  return claims;
}

bool is_ephemeral_claim(const model::PersistentVolumeClaim& claim) {
  return !claim.owner_uid.empty() && claim.uid == claim_uid(claim);
}

}  // namespace berth::ingest
