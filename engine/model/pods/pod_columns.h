#pragma once

// The columns of the pods table, and their values for the pods of one call.

#include <span>
#include <string>
#include <vector>

#include "engine/model/cluster/cluster.h"
#include "engine/model/columns/catalog.h"
#include "engine/model/columns/gathered.h"

namespace berth::model {

// Those of Table::kPods.
std::span<const KnownColumn> pod_columns();

// The way in which the values of one column of the pods table are read.
struct PodReader {
  void (*gather)(const ColumnInfo& column, Cluster& cluster, std::span<const PodRecord* const> pods,
                 Gathered& out);
  void (*append_bytes)(const ColumnInfo& column, Cluster& cluster, const PodRecord& pod,
                       std::string& identity);
  void (*append_numbers)(const ColumnInfo& column, Cluster& cluster, const PodRecord& pod,
                         std::vector<uint64_t>& identity);
};

// Appends the value of `column`, a column of the pods table, for each pod to `out`. Requires:
// out.begin() was called with the column's type. On the thread that owns the model, unless
// ColumnInfo::any_thread().
inline void gather_pods(const ColumnInfo& column, Cluster& cluster,
                        std::span<const PodRecord* const> pods, Gathered& out) {
  column.reader->gather(column, cluster, pods, out);
}

// Appends one pod's value as bytes, for signatures. Within one column and one state of the model,
// the bytes of two pods are equal if and only if their values are. Call it on the thread that owns
// the model.
inline void append_identity(const ColumnInfo& column, Cluster& cluster, const PodRecord& pod,
                            std::string& identity) {
  column.reader->append_bytes(column, cluster, pod, identity);
}
// The same as numbers: one for a value; for a list its size and its elements.
inline void append_identity(const ColumnInfo& column, Cluster& cluster, const PodRecord& pod,
                            std::vector<uint64_t>& identity) {
  column.reader->append_numbers(column, cluster, pod, identity);
}

}  // namespace berth::model
