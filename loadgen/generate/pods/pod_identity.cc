#include "loadgen/generate/pods/pod_identity.h"

#include "loadgen/generate/cluster/generated_cluster.h"
#include "loadgen/generate/names.h"
#include "loadgen/generate/owners/owner_specs.h"

namespace berth::loadgen {

void name_job(const WorkloadSpec& spec, uint32_t pod_template, uint64_t number, std::string& name) {
  name = spec.templates[pod_template].name;
  name += '-';
  append_number(number, kPodDigits, name);
}

void name_pod(const GeneratedCluster& cluster, const PodIdentity& pod, std::string& name) {
  switch (pod.kind) {
    case PodOf::kTemplate:
      name = cluster.spec.templates[pod.of].name;
      name += '-';
      append_number(pod.number, kPodDigits, name);
      return;
    case PodOf::kJob:
      name_job(cluster.spec, pod.of, pod.job, name);
      name += '-';
      append_suffix(pod.number, name);
      return;
    case PodOf::kOwner:
      name = controller_of(cluster.owners.identity(pod.of)).name;
      name += '-';
      if (cluster.owners.spec(pod.of).kind == OwnerKind::kStatefulSet) {
        append_number(pod.number, 1, name);
      } else {
        append_suffix(pod.number, name);
      }
      return;
  }
}

uint32_t template_of(const GeneratedCluster& cluster, const PodIdentity& pod) {
  return pod.kind == PodOf::kOwner ? cluster.owners.spec(pod.of).pod_template : pod.of;
}

bool has_claims(const GeneratedCluster& cluster, const PodIdentity& pod, const std::string& name) {
  switch (pod.kind) {
    case PodOf::kTemplate:
      return cluster.claims.has(pod.of, name);
    case PodOf::kJob: {
      std::string job;
      name_job(cluster.spec, pod.of, pod.job, job);
      return cluster.claims.has(pod.of, job);
    }
    case PodOf::kOwner:
      return cluster.owners.has_claims(pod.of);
  }
  return false;
}

}  // namespace berth::loadgen
