#pragma once

// One row of the node table as it would be with other values, or with some more pods on it.

#include <cstdint>
#include <vector>

#include "engine/model/cluster.h"
#include "engine/model/gathered.h"

namespace berth::framework {

class Overlay {
 public:
  Overlay(const model::Cluster& cluster, model::Row row) : cluster_(cluster), row_(row) {}

  model::Row row() const { return row_; }
  void add_pod(model::TemplateId pod) { added_.push_back(pod); }

  // The row's own value in a column is this one from now on; what added pods count comes on top of
  // it. Of columns of the nodes table: numbers in one that is no list, U64 elements in one that is.
  void set(model::ColumnId column, int64_t value);
  void set(model::ColumnId column, std::vector<uint64_t> elements);

  // Appends the row's value in a column of the nodes table, of which `base` is the whole.
  void read(model::ColumnId column, const model::ColumnInfo& info, const berth_column& base,
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
  int64_t added(const model::ColumnInfo& info) const;
  void read_ports(const Own* own, const berth_column& base, model::Gathered& out) const;

  const model::Cluster& cluster_;
  model::Row row_;
  std::vector<model::TemplateId> added_;
  std::vector<Own> own_;
};

}  // namespace berth::framework
