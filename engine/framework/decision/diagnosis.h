#pragma once

// The reasons why a pod could not be placed, in kube-scheduler's words. Source: kube-scheduler
// framework/types.go FitError.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/framework/decision/reason_groups.h"
#include "engine/framework/evaluation/rows/row_filter.h"
#include "engine/framework/kept/kept_rows.h"

namespace berth::framework {

// The code of a row that an extender left out of its answer without naming it.
inline constexpr uint8_t kLeftOut = BERTH_SUCCESS;

// One row's refusal, in words.
struct Refusal {
  std::string
      plugin;  // "PreFilter": the row is not among those that PreFilter narrowed the search to
  uint8_t code = 0;                  // berth_code, or kLeftOut
  std::vector<std::string> reasons;  // of the first plugin that refuses the row; kLeftOut: none
};

// The refusal of a pod by PreFilter.
struct PreFilterRefusal {
  std::string plugin;  // empty: several plugins together left no node
  uint8_t code = 0;
  std::vector<std::string> reasons;
};

// "0/5 nodes are available: 2 REASON, 3 OTHER REASON."
std::string fit_error(uint64_t nodes, const ReasonCounts& reasons);
// "0/5 nodes are available: the reason."
std::string fit_error(uint64_t nodes, const std::string& pre_filter_message);

// Counts the reasons of the rows that a search refused. It asks a plugin once for the text of each
// distinct reason, unless the text depends on the row (BERTH_REASON_OF_POSITION). Belongs to the
// thread that owns the model.
class ReasonCounter {
 public:
  ReasonCounter(model::Cluster& cluster, host::CallContext& calls)
      : cluster_(cluster), rows_(cluster, calls), groups_(cluster, calls, rows_) {}

  // Of the refused rows, except those that an extender refused.
  CountedReasons count(const DecisionContext& cycle, const SearchResult& search_result);
  // The same if filters refused every row of the cluster. Reasons of rows that did not change since
  // they were last counted for a pod of this kind are kept, if the context keeps anything.
  CountedReasons count_all(const DecisionContext& cycle, const SearchResult& search_result);
  RowFilter& rows() { return rows_; }

 private:
  void begin(const DecisionContext& cycle);
  void divide(const SearchResult& search_result, model::Row row) {
    refused_[search_result.refuser[row] - size_t{1}].push_back(row);
  }
  bool update(const DecisionContext& cycle, const SearchResult& search_result, KeptRows& kept);

  const model::Cluster& cluster_;
  RowFilter rows_;
  ReasonGroups groups_;
  std::vector<std::vector<model::Row>> refused_;  // by filter: of the count that goes on
};

}  // namespace berth::framework
