#pragma once

// The filters of a profile on one row: the serial loop's inner part, nominations included.

#include <string>

#include "engine/framework/evaluation/evaluator.h"

namespace berth::framework {

struct RowVerdict {
  Refuser refuser = kFeasible;
  uint8_t code = 0;
  std::string error;  // if code is BERTH_ERROR
};

class RowFilter {
 public:
  RowFilter(model::Cluster& cluster, host::CallContext& worker)
      : cluster_(cluster), worker_(worker) {}

  // Filters run with the pods added that are nominated to the row, if there are any, and then
  // without; the first refusal counts.
  RowVerdict check(const DecisionContext& cycle, model::Row row);
  // One pass; `overlay` is null or of that row.
  RowVerdict pass(const DecisionContext& cycle, model::Row row, const Overlay* overlay);
  // One filter alone.
  uint8_t verdict(const DecisionContext& cycle, size_t filter, model::Row row,
                  const Overlay* overlay, std::string& error);
  // The reasons of a refusal, as texts; the overlay that it was given under is built again.
  std::vector<std::string> reasons(const DecisionContext& cycle, size_t filter, model::Row row);

 private:
  // The call for a row alone, over the dictionary's code where the hook is over one.
  berth_call call(const DecisionContext& cycle, size_t filter, model::Row row,
                  const Overlay* overlay);

  model::Cluster& cluster_;
  host::CallContext& worker_;
  CallColumns columns_;
};

}  // namespace berth::framework
