#pragma once

// A dry run: evaluates the filters for a row from which some pods are removed, or to which some are
// added. It corresponds to kube-scheduler's SelectVictimsOnNode.
//
// Preemption tries hundreds of rows, each with many sets of victims. Threads share the model and
// the context, which must not be modified meanwhile, and have one RowTrial each:
//
//   // on the deciding thread, before: context.resolve_filters() and
//   // refresh_filters(), one TrialPod for each pod
//   trial.begin(context, row);
//   for (const TrialPod& pod : lower) trial.remove_pod(pod);
//   if (trial.check().refuser == kFeasible)
//     for (const TrialPod& pod : lower) {  // add back pods that need not be removed
//       trial.add_pod(pod);
//       if (trial.check().refuser != kFeasible) trial.remove_pod(pod);
//     }
//
// The verdict depends on the row and the sequence of changes, not on the thread or on trials before
// it. A trial allocates nothing once it has seen its largest row.

#include "engine/framework/evaluation/rows/row_filter.h"

namespace berth::framework {

class RowTrial {
 public:
  // `calls` is the context of the thread that runs the trial. Both, and the instances of the
  // profiles, outlive the trial.
  RowTrial(const model::Cluster& cluster, host::CallContext& calls)
      : row_(cluster, calls), filters_(cluster, calls) {}

  // Starts with the next row, without changes. Precondition: the context's filters are resolved.
  void begin(const DecisionContext& context, model::Row row) {
    context_ = &context;
    row_.begin(context, row);
    filters_.begin_trial(context, row);
  }
  // Drops all changes of the row.
  void reset() { row_.reset(); }
  // Add or remove a pod. Pods outlive the trial of the row.
  void add_pod(const TrialPod& pod) { row_.add_pod(pod); }
  void remove_pod(const TrialPod& pod) { row_.remove_pod(pod); }

  // Runs all filters of the profile, with the pods nominated to the row added and then without
  // them.
  RowVerdict check() { return filters_.check(*context_, row_); }
  // The texts of the last check. Precondition: it refused the row, and nothing changed since.
  std::vector<std::string> reasons(const RowVerdict& verdict) {
    return filters_.reasons(*context_, verdict.refuser - size_t{1}, row_);
  }

 private:
  const DecisionContext* context_ = nullptr;
  ChangedRow row_;
  RowFilter filters_;
};

}  // namespace berth::framework
