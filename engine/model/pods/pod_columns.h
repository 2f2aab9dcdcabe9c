#pragma once

// Columns of the pods table, put together for the pods of one call.

#include <span>
#include <string>

#include "engine/model/cluster/cluster.h"
#include "engine/model/storage/catalog.h"
#include "engine/model/storage/gathered.h"

namespace berth::model {

// Appends what `column` (of the pods table) is for each of the pods to `out`, which must have begun
// with the column's type. On the thread that owns the model.
void gather_pods(const ColumnInfo& column, Cluster& cluster, std::span<const PodRecord* const> pods,
                 Gathered& out);

// The same for one pod as bytes; two pods are equal in the column exactly if the bytes are.
void append_identity(const ColumnInfo& column, Cluster& cluster, const PodRecord& pod,
                     std::string& identity);

}  // namespace berth::model
