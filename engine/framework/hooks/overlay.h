#pragma once

// One row of the node table as it would be with other values, or with some pods more or fewer on
// it; and counts of pods as they would be then.

#include <cstdint>
#include <vector>

#include "engine/model/cluster/cluster.h"
#include "engine/model/storage/gathered.h"

namespace berth::framework {

class Overlay {
 public:
  Overlay(const model::Cluster& cluster, model::Row row) : cluster_(cluster), row_(row) {}

  model::Row row() const { return row_; }
  // In this order, as ports go: a port that two pods have is free when one is removed. The shape is
  // known, and its terms are learnt (CarriedTerms::learn). The holder does not matter.
  void add_pod(const model::PodOnNode& pod) { changes_.push_back({pod, 1}); }
  void remove_pod(const model::PodOnNode& pod) { changes_.push_back({pod, -1}); }

  // The row's own value in a column is this one from now on; what added pods count comes on top of
  // it. Of columns of the nodes table: numbers in one that is no list, U64 elements in one that is.
  void set(model::ColumnId column, int64_t value);
  void set(model::ColumnId column, std::vector<uint64_t> elements);

  // Appends the row's value in a column of the nodes table, of which `base` is the whole.
  void read(model::ColumnId column, const model::ColumnInfo& info, const berth_column& base,
            model::Gathered& out) const;
  // Appends a column of the counts table, which `base` is, cut down to what the row can see: where
  // positions are domains there are two, none and the row's own. `read` gives codes to match.
  void read_counts(const model::ColumnInfo& info, const model::Column& base,
                   model::Gathered& out) const;
  // The row's code in a dictionary column of the nodes table, of which `base` is the whole.
  uint32_t code(model::ColumnId column, const berth_column& base) const;

 private:
  struct Own {
    model::ColumnId column = 0;
    int64_t value = 0;
    std::vector<uint64_t> elements;
  };
  const Own* own(model::ColumnId column) const;
  Own& make_own(model::ColumnId column);
  struct Change {
    model::PodOnNode pod;
    int64_t sign;
  };
  int64_t added(const model::ColumnInfo& info) const;
  int64_t added_to_query(model::QueryId query) const;
  int64_t added_to_sum(model::MatchSetId set, size_t sum) const;
  int64_t added_carried(model::MatchSetId set) const;
  int64_t added_carriers(model::MatchSetId set) const;
  model::TallySummary summary(model::QueryId query) const;
  uint32_t code_in(const model::Column* domains) const;
  void read_ports(const Own* own, const berth_column& base, model::Gathered& out) const;

  const model::Cluster& cluster_;
  model::Row row_;
  std::vector<Change> changes_;
  std::vector<Own> own_;
};

}  // namespace berth::framework
