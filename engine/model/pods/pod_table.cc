#include "engine/model/pods/pod_table.h"

#include "engine/base/assert.h"

namespace berth::model {

PodId PodTable::add(const PodRecord& record) {
  BERTH_ASSERT(!record.placed() && !record.nominated);
  const uint32_t index = free_.empty() ? rows_ : free_.back();
  const bool is_new = by_name_.emplace(key_of(record.namespace_name, record.name), index).second;
  BERTH_ASSERT(is_new);
  if (free_.empty()) {
    BERTH_ASSERT(rows_ != UINT32_MAX);
    if (rows_ == slots_.size()) slots_.grow();
    ++rows_;
  } else {
    free_.pop_back();
  }
  Row& row = slots_[index];
  // Not read back: halves of an id are written one by one, and to read both waits for memory.
  const PodId id{index, ++row.generation};
  row.record = record;
  row.record.id = id;
  return id;
}

void PodTable::remove(PodId id) {
  const PodRecord& record = (*this)[id];
  BERTH_ASSERT(!record.placed() && !record.nominated);
  by_name_.erase(key_of(record.namespace_name, record.name));
  slots_[id.index].record.id = {};
  free_.push_back(id.index);
}

PodId PodTable::find(StringId namespace_name, StringId name) const {
  const auto known = by_name_.find(key_of(namespace_name, name));
  return known == by_name_.end() ? PodId{} : row(known->second).id;
}

}  // namespace berth::model
