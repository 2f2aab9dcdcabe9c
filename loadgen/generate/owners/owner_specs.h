#pragma once

// Derives pods and API objects from an owner (Deployment, StatefulSet, ...).

#include <string>
#include <vector>

#include "engine/model/objects/change.h"
#include "engine/model/objects/objects.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// One owner.
struct OwnerIdentity {
  OwnerKind kind = OwnerKind::kDeployment;
  std::string name;
  std::string namespace_name;
  std::string hash;  // pod-template-hash; Deployments only
};

// The object in the pods' ownerReferences; for a Deployment this is its ReplicaSet. Pod names begin
// with its name.
model::Controller controller_of(const OwnerIdentity& owner);

// Turns a template's spec into that of this owner's pods. The word OWNER in labels and selectors is
// replaced by the owner's name. If no label has the value OWNER, the label app=NAME is added. The
// labels that Kubernetes adds for this kind of owner are set, apart from those that differ between
// pods.
void make_own(const OwnerIdentity& owner, model::PodSpec& spec);

// The owner as a manifest: without a uid, as a user applies it. Requires: `spec` is its template's,
// in which the word OWNER stands. `replicas`: not of DaemonSets; of a Job its parallelism and
// completions.
model::ControllerObject manifest_of(const OwnerIdentity& owner, const model::PodSpec& spec,
                                    int64_t replicas);

// Adds the node affinity by which the DaemonSet controller pins a pod to its node.
void pin_to_node(const std::string& node, model::PodSpec& spec);
// True if the DaemonSet controller would create a pod on this node.
bool runs_on(const model::PodSpec& daemon, const model::Node& node);

// The ReplicaSet, StatefulSet, ReplicationController and, if `service`, Service whose selectors
// match the owner's pods. `spec` is the pods' spec.
std::vector<model::SelectorOwner> selector_owners_of(const OwnerIdentity& owner,
                                                     const model::PodSpec& spec, bool service);

}  // namespace berth::loadgen
