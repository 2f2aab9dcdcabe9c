#include "engine/model/pods/pod_table.h"

#include "engine/base/assert.h"

namespace berth::model {
namespace {

constexpr size_t kFirstBuckets = 1024;

}  // namespace

PodTable::PodTable() : buckets_(kFirstBuckets, kNone) {}

PodId PodTable::add(const PodRecord& record) {
  BERTH_ASSERT(!find(record.namespace_name, record.name));
  uint32_t index = rows_;
  if (free_.empty()) {
    BERTH_ASSERT(rows_ != kNone);
    if (rows_ >> kChunkBits == chunks_.size())
      chunks_.push_back(std::make_unique<Row[]>(size_t{1} << kChunkBits));
    ++rows_;
  } else {
    index = free_.back();
    free_.pop_back();
  }
  Row& row = slot(index);
  row.record = record;
  row.record.id = {index, ++row.generation};
  if (size() > buckets_.size()) grow_buckets();
  link(index);
  return row.record.id;
}

void PodTable::remove(PodId id) {
  const PodRecord& record = (*this)[id];
  BERTH_ASSERT(!record.placed() && !record.nominated);
  unlink(id.index);
  slot(id.index).record.id = {};
  free_.push_back(id.index);
}

PodId PodTable::find(StringId namespace_name, StringId name) const {
  for (uint32_t at = buckets_[bucket_of(namespace_name, name)]; at != kNone; at = slot(at).next) {
    const PodRecord& record = row(at);
    if (record.namespace_name == namespace_name && record.name == name) return record.id;
  }
  return {};
}

size_t PodTable::bucket_of(StringId namespace_name, StringId name) const {
  // Names are numbered as they are interned, so the low bits of a product with an odd constant
  // would repeat the numbering; the high ones do not.
  const uint64_t key = (uint64_t{namespace_name} << 32 | name) * 0x9e3779b97f4a7c15u;
  return (key >> 32) & (buckets_.size() - 1);
}

void PodTable::link(uint32_t index) {
  Row& row = slot(index);
  uint32_t& first = buckets_[bucket_of(row.record.namespace_name, row.record.name)];
  row.next = first;
  first = index;
}

void PodTable::unlink(uint32_t index) {
  const Row& row = slot(index);
  uint32_t* link = &buckets_[bucket_of(row.record.namespace_name, row.record.name)];
  while (*link != index) link = &slot(*link).next;
  *link = row.next;
}

void PodTable::grow_buckets() {
  // Twice as many as needed, so that the next growth is as far away as the pods that are there.
  std::vector<uint32_t> linked;
  for (uint32_t first : buckets_)
    for (uint32_t at = first; at != kNone; at = slot(at).next) linked.push_back(at);
  buckets_.assign(buckets_.size() * 2, kNone);
  for (uint32_t index : linked) link(index);
}

}  // namespace berth::model
