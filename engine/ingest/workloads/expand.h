#pragma once

// Expands workloads to the pods that their controllers would create.
//
// Pods of Deployments, ReplicaSets, ReplicationControllers, DaemonSets and Jobs are named after
// their controller with five characters that are a function of the controller and of the pod's
// ordinal, where Kubernetes draws them. Pods of StatefulSets have their ordinals. UIDs of
// controllers that have none are functions of kind, namespace and name.
//
// A controller counts the pods that it has (existing_pods.h) and creates the missing ones. Pods do
// not finish, so of a Job as many exist as run at once. Pods beyond those that are asked for stay.
//
// A StatefulSet also makes the claims of its claim templates, unless claims of their names exist.

#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/ingest/objects/objects.h"
#include "engine/ingest/workloads/existing_pods.h"

namespace berth::ingest {

// Names of claims, as namespace/name.
using ClaimNames = std::set<std::string>;

// Replaces objects.workloads by pods, each where its workload stands among the pods of the input,
// and adds the claims that their controllers make to the storage. `nodes`: those that exist, for
// DaemonSets; their names, labels and taints are read. `claims`: those that exist beside those of
// the input; no controller makes one again. `existing`: all pods that exist, those of `objects`
// included; gets the pods that are made. Adds to the remarks. `played`: gets the workloads, in
// order, as their controllers go on with them; null: nobody does. Requires: the vectors of
// `objects` are in step.
void expand(Objects& objects, std::span<const model::Node> nodes, const ClaimNames& claims,
            ExistingPods& existing, std::vector<model::Workload>* played);
// A workload whose pods exist, as its controller goes on with it. Its pod is not admitted.
model::Workload played_workload(const Workload& workload, const ExistingPods& existing);
// The same where nothing exists beside `objects`.
void expand(Objects& objects, std::span<const model::Node> nodes);

}  // namespace berth::ingest
