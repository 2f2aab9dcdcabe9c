#pragma once

// Columns and calls as a plugin's process sees them. Values in the cluster's arena, which the
// process has mapped, are passed by address; other values are copied into the lane.

#include <cstdint>
#include <vector>

#include "berth/abi/hook.h"
#include "engine/isolation/parent/lane_call.h"

namespace berth::isolation {

// The places of an arena in the engine and in the process.
struct MappedArena {
  const std::byte* here = nullptr;
  size_t size = 0;  // 0: the arena is not shared
  uint64_t there = 0;
};

// Lays out columns in the lane. Returns the address of the array in the process.
const berth_column* put_columns(LaneCall& lane, const MappedArena& arena,
                                const berth_column* columns, uint32_t count);

// Lays out all of `call` but its state and its sink.
void put_call(LaneCall& lane, const MappedArena& arena, const berth_call& call, berth_call& out);

// A copy of columns with all of their values.
class SavedColumns {
 public:
  SavedColumns(const berth_column* columns, uint32_t count);
  const std::vector<berth_column>& columns() const { return columns_; }

 private:
  std::vector<berth_column> columns_;
  Memory values_;
};

}  // namespace berth::isolation
