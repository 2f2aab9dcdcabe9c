#pragma once

// The common parts of the tables of all extension points, so that both sides can pass them on.

#include <cstddef>
#include <cstdint>

#include "engine/base/points.h"
#include "engine/host/calls/checked_calls.h"

namespace berth::isolation {

// The beginning of each table.
struct TableHead {
  uint32_t size;
  uint32_t flags;
  const berth_hook* hook;
};

// The size of a point's table in this build.
constexpr size_t table_size(Point point) {
  size_t size = 0;
  host::visit_hook_type(point, [&]<typename T>(std::type_identity<T>) {
    static_assert(offsetof(typename T::Table, hook) == offsetof(TableHead, hook));
    size = sizeof(typename T::Table);
  });
  return size;
}

// Inputs of a hook or of a state cross up to this number. The host refuses greater ones.
inline constexpr uint32_t kMostPassedInputs = 1u << 20;

}  // namespace berth::isolation
