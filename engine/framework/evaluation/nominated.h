#pragma once

// The nominated pods that filters must see. A node to which a pod is nominated is evaluated with
// that pod on it, so that no pod of equal or lower priority takes its place. Source: kube-scheduler
// runtime/framework.go addGENominatedPods.

#include "engine/framework/evaluation/decision_context.h"

namespace berth::framework {

// Visits the pods nominated to a row that filters must see: other pods, not of lower priority.
template <typename Visit>  // visit(PodOnNode)
void for_each_nominated(const model::Cluster& cluster, model::Row row,
                        const DecisionContext& context, Visit&& visit) {
  const model::NodeTable& nodes = cluster.nodes();
  for (const model::Nomination& other : nodes.nominations().at(nodes.slot_of(row)))
    if (other.priority >= context.priority && other.pod.pod != context.pod->id) visit(other.pod);
}
bool any_nominated(const model::Cluster& cluster, model::Row row, const DecisionContext& context);

// True if the verdict of a filter about a row may change when pods are added to the row or removed
// from it. `filter`: index in the profile's list. Precondition: the filters are resolved.
bool follows_pods(const DecisionContext& context, size_t filter);

}  // namespace berth::framework
