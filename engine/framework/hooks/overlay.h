#pragma once

// One row of the node table as it would be with other values, or with some pods added or removed.
//
// Nominated pods, dry runs of preemption and explanations ask filters about such rows. The model
// stays as it is: BoundHook::gather takes the row's columns from an overlay instead.
//
// An overlay keeps the list of changes, in order, and reads columns on demand: the value of a
// column is the model's plus the difference that the changes make. Differences are running sums. A
// column remembers its difference and the number of changes that are in it, so the next read only
// looks at the changes since. A trial that removes 100 pods and then adds them back one by one,
// with all filters in between, looks at each change once per column. Only columns that filters
// read are worked out. `reset` forgets everything and keeps the memory.
//
// Ports are a set, as in kube-scheduler: if two pods have a port, it is free when one is removed.
// So the order of changes matters, and adding a pod and removing it is not always neutral.
//
// An overlay belongs to one thread; reading changes its running sums. Overlays of several threads
// may read one model at the same time while nobody modifies it.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <vector>

#include "engine/model/cluster/cluster.h"
#include "engine/model/storage/gathered.h"

namespace berth::framework {

class Overlay {
 public:
  explicit Overlay(const model::Cluster& cluster, model::Row row = 0)
      : cluster_(cluster), row_(row) {}

  model::Row row() const { return row_; }
  // The row as it is in the model, without changes.
  void reset(model::Row row);
  // The row and the changes of `other`, an overlay of the same cluster.
  void copy_from(const Overlay& other);

  // Precondition: the shape is set, and its terms are known (CarriedTerms::learn), which those of
  // placed and nominated pods are.
  void add_pod(const model::PodOnNode& pod) { changes_.push_back({pod, 1}); }
  void remove_pod(const model::PodOnNode& pod) { changes_.push_back({pod, -1}); }

  // Replaces the row's own value in a column of the nodes table; what added pods count is added to
  // it. Numbers in a column that is no list, U64 elements in one that is.
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
  struct Change {
    model::PodOnNode pod;
    int64_t sign;
  };
  // The sum over the first `counted` changes.
  struct Running {
    uint64_t sum = 0;
    size_t counted = 0;
  };

  const Own* own(model::ColumnId column) const;
  Own& make_own(model::ColumnId column);
  // The sum of sign * amount(pod) over all changes. `kind`, `number` and `part` name the amount.
  template <typename Amount>
  int64_t running(model::Attribute kind, uint32_t number, size_t part, Amount&& amount) const;
  int64_t added(const model::ColumnInfo& info) const;
  int64_t added_of_template(const model::ColumnInfo& info) const;
  int64_t added_to_query(model::QueryId query) const;
  int64_t added_carried(model::MatchSetId set) const;
  int64_t added_carriers(model::MatchSetId set) const;
  model::TallySummary summary(model::QueryId query) const;
  uint32_t code_in(const model::Column* domains) const;
  int64_t lowest_priority() const;
  void read_ports(const Own* own, const berth_column& base, model::Gathered& out) const;

  const model::Cluster& cluster_;
  model::Row row_;
  std::vector<Change> changes_;
  std::vector<Own> own_;
  mutable boost::unordered_flat_map<uint64_t, Running> running_;
  // The row's ports after the first `ports_counted_` changes; meaningless until `ports_begun_`.
  mutable std::vector<uint64_t> ports_;
  mutable size_t ports_counted_ = 0;
  mutable bool ports_begun_ = false;
};

}  // namespace berth::framework
