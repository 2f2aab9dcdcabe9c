#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>

#include "engine/base/assert.h"
#include "engine/model/columns/column.h"
#include "engine/model/columns/strings.h"

namespace berth::model {

// Numbers that stand for data from outside of the model, by name: the columns cluster.epoch:NAME,
// with one value each. A number stays for the life of the cluster, whoever names it.
class Epochs {
 public:
  // Both outlive it.
  Epochs(Arena& arena, Strings& strings) : arena_(arena), strings_(strings) {}

  // Makes the epoch, which is 0, unless it is there.
  void make(StringId name) {
    auto& column = columns_[name];
    if (column != nullptr) return;
    strings_.retain(name);
    column = std::make_unique<Column>(arena_, BERTH_I64, false);
    column->resize(1);
  }
  // Precondition of both: it was made. The reference stays valid.
  const Column& column(StringId name) const { return *columns_.find(name)->second; }
  void raise(StringId name) {
    const auto at = columns_.find(name);
    BERTH_ASSERT(at != columns_.end());
    Column& column = *at->second;
    column.put(0, column.values<int64_t>()[0] + 1);
  }

 private:
  Arena& arena_;
  Strings& strings_;
  boost::unordered_flat_map<StringId, std::unique_ptr<Column>> columns_;
};

}  // namespace berth::model
