#pragma once

// What owners make of the templates of their pods, and the objects that stand for them.

#include <string>
#include <vector>

#include "engine/model/objects/objects.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// One owner.
struct OwnerIdentity {
  OwnerKind kind = OwnerKind::kDeployment;
  std::string name;
  std::string namespace_name;
  std::string hash;  // of its template, of a Deployment
};

// The object that has the pods: of a Deployment its ReplicaSet. Its name is where the pods' names
// begin.
model::Controller controller_of(const OwnerIdentity& owner);

// The spec of its pods: OWNER in labels and selectors becomes its name, and it gets the labels that
// Kubernetes gives to pods of such an owner (those that differ from pod to pod excepted). A
// template without an OWNER among its labels gets `app`.
void make_own(const OwnerIdentity& owner, model::PodSpec& spec);

// For the pod of a DaemonSet on that node.
void pin_to_node(const std::string& node, model::PodSpec& spec);
// Whether a DaemonSet has a pod there.
bool runs_on(const model::PodSpec& daemon, const model::Node& node);

// The objects that select its pods, which have the template's spec.
std::vector<model::SelectorOwner> selector_owners_of(const OwnerIdentity& owner,
                                                     const model::PodSpec& spec, bool service);

}  // namespace berth::loadgen
