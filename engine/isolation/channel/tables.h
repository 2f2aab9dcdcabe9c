#pragma once

// The tables of all extension points, and their functions, which the engine calls. How a function
// crosses follows from its type (tables/passed.h, child/serve.cc). A function that is added gets a
// line in its list here.

#include <cstddef>
#include <cstdint>

#include "berth/abi/bind.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/filter.h"
#include "berth/abi/overlay.h"
#include "berth/abi/score.h"
#include "engine/base/points.h"
#include "engine/isolation/channel/calls.h"
#include "engine/isolation/services/ways.h"

namespace berth::isolation {

// The beginning of each table.
struct TableHead {
  uint32_t size;
  uint32_t flags;
  const berth_hook* hook;
};

// Bytes of a table that are neither its head nor functions.
template <typename Table>
inline constexpr size_t kData = 0;
template <>
inline constexpr size_t kData<berth_pre_bind> = sizeof(int64_t);  // wait_limit_nanoseconds
template <>
inline constexpr size_t kData<berth_bind> = 2 * sizeof(uint32_t);  // flags, reserved2

template <Point kIts, typename Table_, auto... kMembers>
struct PointTable {
  // A function that is forgotten would be one of another process.
  static_assert(sizeof(Table_) ==
                sizeof(TableHead) + sizeof...(kMembers) * sizeof(void*) + kData<Table_>);
  static_assert(offsetof(Table_, hook) == offsetof(TableHead, hook));
  static constexpr Point kPoint = kIts;
  using Table = Table_;
  using Members = Functions<kMembers...>;
};

using HookFunctions = Functions<&berth_hook::prepare, &berth_hook::release, &berth_hook::describe>;
using PointTables = Types<
    PointTable<Point::kPreEnqueue, berth_pre_enqueue, &berth_pre_enqueue::check>,
    PointTable<Point::kQueueSort, berth_queue_sort, &berth_queue_sort::keys>,
    PointTable<Point::kHints, berth_hints, &berth_hints::actions, &berth_hints::hint>,
    PointTable<Point::kPreFilter, berth_pre_filter, &berth_pre_filter::pre_filter>,
    PointTable<Point::kFilter, berth_filter, &berth_filter::filter, &berth_filter::reasons,
               &berth_filter::numbers>,
    PointTable<Point::kPostFilter, berth_post_filter, &berth_post_filter::post_filter>,
    PointTable<Point::kPreScore, berth_pre_score, &berth_pre_score::pre_score>,
    PointTable<Point::kScore, berth_score, &berth_score::score, &berth_score::normalise_own,
               &berth_score::numbers>,
    PointTable<Point::kReserve, berth_reserve, &berth_reserve::reserve, &berth_reserve::unreserve>,
    PointTable<Point::kPermit, berth_permit, &berth_permit::permit>,
    PointTable<Point::kPreBind, berth_pre_bind, &berth_pre_bind::pre_flight,
               &berth_pre_bind::pre_bind, &berth_pre_bind::pre_bind_or_wait>,
    PointTable<Point::kBind, berth_bind, &berth_bind::bind>,
    PointTable<Point::kPostBind, berth_post_bind, &berth_post_bind::post_bind>,
    PointTable<Point::kOverlayState, berth_overlay_state, &berth_overlay_state::begin,
               &berth_overlay_state::add_pod, &berth_overlay_state::remove_pod,
               &berth_overlay_state::reset, &berth_overlay_state::end>>;

namespace ways {

template <typename... Tables>
constexpr size_t count_of(Types<Tables...>) {
  return sizeof...(Tables);
}
static_assert(count_of(PointTables()) == kPointCount);

template <typename... Tables>
auto members_of(Types<Tables...>) -> decltype((HookFunctions() + ... + typename Tables::Members()));

}  // namespace ways

using TableFunctions = decltype(ways::members_of(PointTables()));

template <auto kMember>
inline constexpr Call kCall = static_cast<Call>(static_cast<uint32_t>(Call::kFunction) +
                                                ways::index_in<kMember>(TableFunctions()));

// Calls function(PointTable) for the table of a point.
template <typename Function, typename... Tables>
constexpr void with_table(Point point, Function&& function, Types<Tables...>) {
  static_cast<void>(((Tables::kPoint == point && (function(Tables()), true)) || ...));
}

// The size of a point's table in this build.
constexpr size_t table_size(Point point) {
  size_t size = 0;
  with_table(
      point, [&]<typename Its>(Its) { size = sizeof(typename Its::Table); }, PointTables());
  return size;
}

// Inputs of a hook or of a state cross up to this number. The host refuses greater ones.
inline constexpr uint32_t kMostPassedInputs = 1u << 20;

}  // namespace berth::isolation
