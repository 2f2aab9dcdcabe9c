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
// Ports are a set, as in kube-scheduler's NodeInfo.UsedPorts: if two pods have a port, it is free
// once one of them is removed. So the order of changes matters, and adding a pod and removing it is
// not always neutral.
//
// An overlay belongs to one thread; reading changes its running sums. Overlays of several threads
// may read one model at the same time while nobody modifies it.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <vector>

#include "engine/base/assert.h"
#include "engine/model/cluster/cluster.h"
#include "engine/model/columns/gathered.h"

namespace berth::framework {

class Overlay {
 public:
  explicit Overlay(const model::Cluster& cluster, model::Row row = 0)
      : cluster_(cluster), row_(row) {}

  model::Row row() const { return row_; }
  // Drops all changes; the overlay then shows the row as it is in the model. Also required after
  // the model was modified.
  void reset(model::Row row);
  // Takes the row and the changes of `other`, an overlay of the same cluster.
  void copy_from(const Overlay& other);

  // Add or remove a pod. The changes apply in the order of the calls. Precondition: the pod's shape
  // is set, and its terms are registered (CarriedTerms::learn), as those of placed and nominated
  // pods are.
  void add_pod(const model::PodOnNode& pod) { change(pod, 1); }
  void remove_pod(const model::PodOnNode& pod) { change(pod, -1); }

  // Replaces the model's value of the row in a column of the nodes table; the differences of added
  // and removed pods are added to it. The first form is for flat columns of any type, the second
  // for list columns of U64.
  void set(model::ColumnId column, int64_t value);
  void set(model::ColumnId column, std::vector<uint64_t> elements);

  // True if the row's value in a column can change when pods are added or removed.
  static bool follows_pods(const model::ColumnInfo& info) {
    return (info.changes & model::change::kOfPods) != 0;
  }

  // Appends the row's value in a column of the nodes table. `base`: the whole column in the model.
  // Precondition: out.begin() was called with the column's type.
  void read(model::ColumnId column, const model::ColumnInfo& info, const berth_column& base,
            model::Gathered& out) const;
  // Appends the column `base` of the counts table as the row sees it. A column by domain is cut
  // down to code 0, no domain, and code 1, the row's own domain if it has one; read() gives the row
  // these codes in node.domain.
  void read_counts(const model::ColumnInfo& info, const model::Column& base,
                   model::Gathered& out) const;
  // The row's code in a dictionary column of the nodes table. `base`: the whole column in the
  // model.
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

  void change(const model::PodOnNode& pod, int64_t sign) {
    BERTH_ASSERT(pod.shape != 0);
    changes_.push_back({pod, sign});
  }
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
  // A list of the row's volumes. `list`: that of a template.
  void read_volumes(const Own* own, const berth_column& base,
                    std::vector<uint64_t> model::PodTemplate::*list, model::Gathered& out) const;
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
