#pragma once

// The filters of a profile on one row: the inner part of the serial loop, nominations included.
//
// It only reads the model and the context, so several threads may each use a RowFilter of their own
// while the model is not modified. Precondition of all functions: the context's filters are
// resolved. Source: kube-scheduler runtime/framework.go RunFilterPluginsWithNominatedPods.

#include <optional>
#include <string>
#include <vector>

#include "engine/framework/evaluation/evaluator.h"
#include "engine/framework/evaluation/rows/changed_row.h"

namespace berth::framework {

struct RowVerdict {
  Refuser refuser = kFeasible;
  uint8_t code = 0;   // berth_code of the refusal
  std::string error;  // if code is BERTH_ERROR
};

class RowFilter {
 public:
  // `calls` is the context of the thread that uses the object. Both outlive it.
  RowFilter(const model::Cluster& cluster, host::CallContext& calls)
      : cluster_(cluster), calls_(calls), nominated_(cluster, calls) {}

  // From now on all checks are of this row, from which pods are added and removed but which is
  // otherwise left alone, until the next call of begin_trial: filters whose inputs no pod can
  // change are called once for the row, and columns are gathered once.
  void begin_trial(const DecisionContext& context, model::Row row);

  // Runs the filters with the nominated pods of the row added, if there are any, and then without
  // them, because a nominated pod may never arrive. The first refusal counts.
  RowVerdict check(const DecisionContext& context, model::Row row);
  // The same for a row with other changes: nominated pods are added to these.
  RowVerdict check(const DecisionContext& context, const ChangedRow& changed);
  // One pass over the filters, up to the first that refuses. `changed` is null or of that row.
  RowVerdict pass(const DecisionContext& context, model::Row row, const ChangedRow* changed);
  // The verdict of one filter alone, a berth_code. Writes the text of BERTH_ERROR to `error`.
  // `filter`: index in the profile's list.
  uint8_t verdict(const DecisionContext& context, size_t filter, model::Row row,
                  const ChangedRow* changed, std::string& error);
  // The texts of a filter's refusal of an unchanged row, given with its nominated pods if it
  // refuses the row then, else without.
  std::vector<std::string> reasons(const DecisionContext& context, size_t filter, model::Row row);
  // The same for a row with other changes.
  std::vector<std::string> reasons(const DecisionContext& context, size_t filter,
                                   const ChangedRow& changed);
  // The numbers behind a filter's verdict on a row, which `changed` (null or of that row) alters.
  // None if the plugin does not tell them, or fails to.
  std::vector<host::Item> numbers(const DecisionContext& context, size_t filter, model::Row row,
                                  const ChangedRow* changed, host::NumbersSource& source);

 private:
  // The call for a row alone, over the dictionary's code where the hook is over one.
  berth_call call(const DecisionContext& context, size_t filter, model::Row row,
                  const ChangedRow* changed);
  // verdict(), and the call by which it was found, if one was made: it is valid until the
  // next call().
  uint8_t verdict(const DecisionContext& context, size_t filter, model::Row row,
                  const ChangedRow* changed, std::string& error, std::optional<berth_call>& made);
  // The texts of a refusal with the pods of nominated_, if the filter refuses the row then, else
  // with the changes of `without` (null: none).
  std::vector<std::string> texts_with_nominated(const DecisionContext& context, size_t filter,
                                                model::Row row, const ChangedRow* without);
  std::vector<std::string> texts(const DecisionContext& context, size_t filter, berth_call one);

  // Of one filter, for the row of a trial.
  struct Kept {
    bool follows = true;    // its verdict may change with the pods
    bool passed = false;    // it does not follow, and passed the row
    bool gathered = false;  // `columns` are of the row
    CallColumns columns;
  };
  void find_followers(const DecisionContext& context);
  bool sees_nominated(const DecisionContext& context, model::Row row) const;

  const model::Cluster& cluster_;
  host::CallContext& calls_;
  CallColumns columns_;
  bool trial_ = false;
  bool nominated_here_ = false;       // trial: filters must see a pod that is nominated to the row
  const Profile* profile_ = nullptr;  // of kept_
  uint64_t resolution_ = 0;           // the same
  std::vector<Kept> kept_;            // trial: by filter
  ChangedRow nominated_;              // the row at hand with the pods nominated to it
};

}  // namespace berth::framework
