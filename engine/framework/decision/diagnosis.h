#pragma once

// The reasons why a pod could not be placed, in kube-scheduler's words. Source: kube-scheduler
// framework/types.go FitError.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/framework/evaluation/row_filter.h"

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

// The number of nodes refused for each reason. Ordered by text, so that it prints and hashes the
// same everywhere. A node with several reasons counts in each.
using ReasonCounts = std::map<std::string, uint64_t>;

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
      : cluster_(cluster), calls_(calls), rows_(cluster, calls) {}

  ReasonCounts count(const DecisionContext& cycle, const SearchResult& search_result);
  RowFilter& rows() { return rows_; }
  // Adds the reasons of one row.
  void add_row(const DecisionContext& cycle, const SearchResult& search_result, model::Row row,
               ReasonCounts& counts);

 private:
  void count_filter(const DecisionContext& cycle, size_t filter,
                    const std::vector<model::Row>& rows, const SearchResult& search_result,
                    ReasonCounts& counts);

  model::Cluster& cluster_;
  host::CallContext& calls_;
  RowFilter rows_;
  CallColumns columns_;
};

}  // namespace berth::framework
