#pragma once

// Collects columns of the pods table for the pods of one call.

#include <span>
#include <string>
#include <vector>

#include "engine/model/cluster/cluster.h"
#include "engine/model/storage/catalog.h"
#include "engine/model/storage/gathered.h"

namespace berth::model {

// Appends the value of `column`, a column of the pods table, for each pod to `out`. Requires:
// out.begin() was called with the column's type. On the thread that owns the model, unless
// ColumnInfo::any_thread().
void gather_pods(const ColumnInfo& column, Cluster& cluster, std::span<const PodRecord* const> pods,
                 Gathered& out);

// Appends one pod's value as bytes, for signatures. Within one column and one state of the model,
// the bytes of two pods are equal if and only if their values are. Call it on the thread that owns
// the model.
void append_identity(const ColumnInfo& column, Cluster& cluster, const PodRecord& pod,
                     std::string& identity);
// The same as numbers: one for a value; for a list its size and its elements.
void append_identity(const ColumnInfo& column, Cluster& cluster, const PodRecord& pod,
                     std::vector<uint64_t>& identity);

}  // namespace berth::model
