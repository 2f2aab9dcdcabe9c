#pragma once

// The nominated pods that filters must see. A node to which a pod is nominated is evaluated with
// that pod on it, so that no pod of equal or lower priority takes its place. Source: kube-scheduler
// runtime/framework.go addGENominatedPods.

#include <vector>

#include "engine/framework/evaluation/row_filter.h"

namespace berth::framework {

// Visits the pods nominated to a row that filters must see: other pods, not of lower priority.
template <typename Visit>  // visit(PodOnNode)
void for_each_nominated(const model::Cluster& cluster, model::Row row,
                        const DecisionContext& context, Visit&& visit) {
  const model::NodeTable& nodes = cluster.nodes();
  for (const model::Nomination& other : nodes.node(nodes.slot_of(row)).nominated)
    if (other.priority >= context.priority && other.pod.pod != context.pod->id) visit(other.pod);
}
bool any_nominated(const model::Cluster& cluster, model::Row row, const DecisionContext& context);

// True if the verdict of a filter about a row may change when pods are added to the row or removed
// from it. `filter`: index in the profile's list. Precondition: the filters are resolved.
bool follows_pods(const DecisionContext& context, size_t filter);

// Checks rows with nominated pods after all filters were run over the unchanged rows. For one
// decision; everything outlives it.
class NominatedRows {
 public:
  NominatedRows(const DecisionContext& cycle, const model::Cluster& cluster,
                host::CallContext& calls, RowFilter& filter);

  // The verdict with the nominated pods, or if they change nothing `without`, that of the unchanged
  // row. A filter that no pod can change says what it said then: it is not called again.
  RowVerdict check(model::Row row, RowVerdict without);

 private:
  const DecisionContext& cycle_;
  RowFilter& filter_;
  ChangedRow changed_;
  std::vector<bool> follows_;
};

}  // namespace berth::framework
