#include "engine/isolation/parent/columns.h"

#include <algorithm>

#include "engine/model/columns/column.h"

namespace berth::isolation {
namespace {

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

// Calls each(array, bytes) for each array of the column; bytes() is its size. That of the data
// takes a pass over lists, and comes first: `each` may replace the arrays that it reads.
void visit_column(berth_column& column, auto&& each) {
  if (column.data == nullptr) return;
  each(column.data, [&] { return elements(column) * model::element_size(column.type); });
  each(column.starts, [&] { return column.count * sizeof *column.starts; });
  each(column.sizes, [&] { return column.count * sizeof *column.sizes; });
  each(column.validity, [&] { return words(column.count) * sizeof *column.validity; });
}

// Arrays of the result are at addresses of the process.
berth_column put_column(LaneCall& lane, const MappedArena& arena, berth_column column) {
  visit_column(column, [&]<typename T>(const T*& array, auto bytes) {
    if (array == nullptr) return;
    const auto offset = reinterpret_cast<uint64_t>(array) - reinterpret_cast<uint64_t>(arena.here);
    const void* there =
        offset < arena.size
            ? reinterpret_cast<const void*>(arena.there + offset)
            : lane.there(lane.copy(reinterpret_cast<const std::byte*>(array), bytes()));
    array = static_cast<const T*>(there);
  });
  return column;
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

SavedColumns::SavedColumns(const berth_column* columns, uint32_t count)
    : columns_(columns, columns + count) {
  for (berth_column& column : columns_)
    visit_column(column, [&]<typename T>(const T*& array, auto bytes) {
      if (array == nullptr) return;
      const uint64_t size = bytes();
      std::byte* kept = values_.take(std::max<uint64_t>(size, 1));  // not null
      if (size != 0) std::memcpy(kept, array, size);
      array = reinterpret_cast<const T*>(kept);
    });
}

}  // namespace berth::isolation
