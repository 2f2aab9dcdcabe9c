#include "engine/isolation/parent/columns.h"

#include <algorithm>

namespace berth::isolation {
namespace {

size_t element_size(uint32_t type) {
  switch (type) {
    case BERTH_U8:
      return 1;
    case BERTH_U32:
    case BERTH_I32:
      return 4;
    default:
      return 8;
  }
}

// The elements behind `data`: one per position, or those that the lists reach.
uint64_t elements(const berth_column& column) {
  if (column.starts == nullptr) return column.count;
  uint64_t end = 0;
  for (uint64_t i = 0; i < column.count; ++i) {
    if (column.sizes[i] != 0) end = std::max(end, uint64_t{column.starts[i]} + column.sizes[i]);
  }
  return end;
}

uint64_t words(uint64_t bits) { return (bits + 63) / 64; }

// The address of the values in the process.
template <typename T>
const T* put(LaneCall& lane, const MappedArena& arena, const T* from, uint64_t count) {
  if (from == nullptr) return nullptr;
  const auto offset = reinterpret_cast<uint64_t>(from) - reinterpret_cast<uint64_t>(arena.here);
  if (offset < arena.size) return reinterpret_cast<const T*>(arena.there + offset);
  return lane.there(lane.copy(from, count));
}

berth_column put_column(LaneCall& lane, const MappedArena& arena, const berth_column& from) {
  berth_column out = from;
  if (from.data == nullptr) return out;
  const auto* data = static_cast<const std::byte*>(from.data);
  const auto offset = reinterpret_cast<uint64_t>(data) - reinterpret_cast<uint64_t>(arena.here);
  // The number of elements of lists takes a pass over them, and is not needed in the arena.
  const uint64_t bytes = offset < arena.size ? 0 : elements(from) * element_size(from.type);
  out.data = put(lane, arena, data, bytes);
  out.starts = put(lane, arena, from.starts, from.count);
  out.sizes = put(lane, arena, from.sizes, from.count);
  out.validity = put(lane, arena, from.validity, words(from.count));
  return out;
}

}  // namespace

const berth_column* put_columns(LaneCall& lane, const MappedArena& arena,
                                const berth_column* columns, uint32_t count) {
  if (columns == nullptr) return nullptr;
  auto* out = lane.make<berth_column>(count);
  for (uint32_t i = 0; i < count; ++i) out[i] = put_column(lane, arena, columns[i]);
  return lane.there(out);
}

void put_call(LaneCall& lane, const MappedArena& arena, const berth_call& call, berth_call& out) {
  out = call;
  out.size = sizeof out;
  out.error = nullptr;
  out.state = nullptr;
  if (call.mask != nullptr) out.mask = lane.there(lane.copy(call.mask, words(call.count)));
  out.columns = put_columns(lane, arena, call.columns, call.column_count);
}

template <typename T>
const T* SavedColumns::kept(const T* from, size_t count) {
  if (from == nullptr) return nullptr;
  const size_t bytes = count * sizeof(T);
  values_.push_back(std::make_unique<std::byte[]>(bytes));
  if (bytes != 0) std::memcpy(values_.back().get(), from, bytes);
  return reinterpret_cast<const T*>(values_.back().get());
}

SavedColumns::SavedColumns(const berth_column* columns, uint32_t count)
    : columns_(columns, columns + count) {
  for (berth_column& column : columns_) {
    if (column.data == nullptr) continue;
    column.data = kept(static_cast<const std::byte*>(column.data),
                       elements(column) * element_size(column.type));
    column.starts = kept(column.starts, column.count);
    column.sizes = kept(column.sizes, column.count);
    column.validity = kept(column.validity, words(column.count));
  }
}

}  // namespace berth::isolation
