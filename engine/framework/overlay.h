#pragma once

// One row of the node table as it would be with some more pods on it.

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

  // Appends the row's value in a column of the nodes table, of which `base` is the whole.
  void read(const model::ColumnInfo& info, const berth_column& base, model::Gathered& out) const;

 private:
  int64_t added(const model::ColumnInfo& info) const;

  const model::Cluster& cluster_;
  model::Row row_;
  std::vector<model::TemplateId> added_;
};

}  // namespace berth::framework
