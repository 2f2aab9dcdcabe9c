#pragma once

// The disruption controller, which keeps the statuses of PodDisruptionBudgets. Source:
// pkg/controller/disruption.
//
// It looks at a budget when that changes, or a pod that it selects: of several budgets of a pod
// only at the first in order of names, where Kubernetes takes any. A change of a scale is no reason
// to look. It counts when something else is.
//
// It is told of every change of budgets and pods in the API, by whomever, also of changes that it
// does not read, and may be told of its own writes. All objects that exist when it starts are new
// to it. One thread.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/time.h"
#include "engine/controllers/disruption/budget.h"
#include "engine/controllers/disruption/scales.h"
#include "engine/controllers/disruption/selection.h"
#include "engine/model/columns/strings.h"
#include "engine/model/selectors/label_selectors.h"

namespace berth::controllers {

// The cluster that the controller writes to. A call may tell the controller of the change that it
// makes.
class DisruptionWriter {
 public:
  virtual ~DisruptionWriter() = default;

  // The budget has a new status. `budget` is valid during the call.
  virtual void write_status(const Budget& budget) = 0;
  // The pod was not deleted for so long that its condition DisruptionTarget becomes False, without
  // a reason and a message.
  virtual void clear_disruption_target(model::StringId namespace_name, model::StringId name) = 0;
};

class DisruptionController {
 public:
  // All outlive the controller. The model's stores may be collected between calls.
  DisruptionController(model::Strings& strings, model::LabelSelectors& selectors,
                       const ScaleSource& scales, DisruptionWriter& writer)
      : selection_(strings, selectors), scales_(scales), writer_(writer) {}

  void budget_changed(const Budget& budget, Time now);  // added, or changed
  // The same, but it is as the controller would leave it: it is not looked at.
  void budget_known(const Budget& budget);
  // Nothing happens if there is none, as with pod_gone().
  void budget_gone(std::string_view namespace_name, std::string_view name);
  void pod_changed(const PodView& pod, Time now);  // added, or changed
  void pod_gone(model::StringId namespace_name, model::StringId name, Time now);

  // When it has something to do; nothing: only a change gives it something to do.
  std::optional<Time> next() const;
  // Does all that is due: next() is later afterwards.
  void run_due(Time now);

  // The budgets that select the pod, in order of names, as the controller knows them; empty if it
  // does not know the pod. Valid until it is told of a change.
  std::vector<const Budget*> budgets_of(model::StringId namespace_name, model::StringId name) const;

 private:
  using Position = Selection::Position;

  struct Entry {
    Budget budget;
    std::optional<Time> recheck;  // in rechecks_
  };

  // The parts of a status. Or a text: why it cannot be made.
  struct Expected {
    int32_t pods = 0, healthy = 0;
  };
  using Expectation = std::variant<Expected, std::string>;

  Position put(const Budget& budget);
  void enqueue(Position budget, Time now);
  void enqueue_first_of(Position pod, Time now);
  void watch_stale(Position pod, std::optional<Time> since, Time now);
  void forget_stale(Position pod);
  bool clear_stale(Time now);
  bool take_rechecks(Time now);

  void sync(Position budget, Time now);
  BudgetStatus status_of(Position budget, const Expected& expected, Time now);
  Expectation expectation(Position budget) const;
  std::variant<int32_t, std::string> expected_scale(Position budget) const;
  int32_t kept_disrupted(Position budget, BudgetStatus& status, Time now);
  void recheck_at(Position budget, Time time);
  void write(Position budget, BudgetStatus status);

  Selection selection_;
  const ScaleSource& scales_;
  DisruptionWriter& writer_;
  std::vector<Entry> budgets_;              // by position
  std::vector<std::optional<Time>> stale_;  // by position of pods; in clearances_
  std::set<std::pair<Time, Position>> rechecks_, clearances_;
  std::set<Position> queue_;  // of budgets
  Time queued_at_{};          // of the last one
};

}  // namespace berth::controllers
