#pragma once

// The texts with which one filter refuses rows. A plugin is asked once for the text of each
// distinct reason, unless the text depends on the row (BERTH_REASON_OF_POSITION).

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/framework/evaluation/rows/row_filter.h"

namespace berth::framework {

// Belongs to the thread that owns the model.
class ReasonGroups {
 public:
  // All of it outlives the object.
  ReasonGroups(const model::Cluster& cluster, host::CallContext& calls, RowFilter& filter)
      : cluster_(cluster), calls_(calls), filter_(filter) {}

  // Divides rows that a filter refused into groups with the same texts. `filter`: index in the
  // profile's list.
  void divide(const DecisionContext& context, size_t filter, const std::vector<model::Row>& rows);

  // The rows, in another order, and the group of each.
  const std::vector<model::Row>& rows() const { return rows_; }
  const std::vector<uint32_t>& groups() const { return groups_; }
  // The texts of each group; two groups may have the same.
  const std::vector<std::vector<std::string>>& texts() const { return texts_; }
  // False if the plugin failed, so that some texts are those of the failure.
  bool good() const { return good_; }

 private:
  // A reason of the plugin, and the position that its text depends on, or UINT32_MAX.
  using Reason = std::pair<uint32_t, uint32_t>;

  void divide_nominated(const DecisionContext& context, size_t filter,
                        const std::vector<model::Row>& rows);
  void divide_unchanged(const DecisionContext& context, size_t filter);
  uint32_t group_of(const DecisionContext& context, size_t filter, Reason reason,
                    uint32_t position);
  uint32_t add(std::vector<std::string> texts);

  const model::Cluster& cluster_;
  host::CallContext& calls_;
  RowFilter& filter_;
  CallColumns columns_, one_;
  std::vector<model::Row> rows_;
  std::vector<uint32_t> groups_;
  std::vector<std::vector<std::string>> texts_;
  bool good_ = true;
  std::vector<model::Row> unchanged_;
  std::vector<uint32_t> positions_, ids_;  // in step with unchanged_
  std::map<Reason, uint32_t> by_reason_;
};

}  // namespace berth::framework
