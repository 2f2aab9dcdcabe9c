#pragma once

// The functions of the tables of all extension points (host/calls/checked_calls.h), which the
// engine calls. How a function crosses follows from its type (tables/passed.h, child/serve.cc).

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engine/base/points.h"
#include "engine/host/calls/checked_calls.h"
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
inline constexpr size_t kData<berth_queue_sort> = 2 *
                                                  sizeof(uint32_t);  // wide_key_bytes, reserved2
template <>
inline constexpr size_t kData<berth_pre_bind> = sizeof(int64_t);  // wait_limit_nanoseconds
template <>
inline constexpr size_t kData<berth_bind> = 2 * sizeof(uint32_t);  // flags, reserved2

using TableFunctions =
    Functions<&berth_hook::prepare, &berth_hook::release, &berth_hook::describe,
              &berth_pre_enqueue::check, &berth_queue_sort::keys, &berth_queue_sort::wide_keys,
              &berth_hints::actions, &berth_hints::hint, &berth_pre_filter::pre_filter,
              &berth_filter::filter, &berth_filter::reasons, &berth_filter::numbers,
              &berth_post_filter::post_filter, &berth_pre_score::pre_score, &berth_score::score,
              &berth_score::normalise_own, &berth_score::numbers, &berth_score::normalise_pod,
              &berth_reserve::reserve, &berth_reserve::unreserve, &berth_permit::permit,
              &berth_pre_bind::pre_flight, &berth_pre_bind::pre_bind,
              &berth_pre_bind::pre_bind_or_wait, &berth_bind::bind, &berth_post_bind::post_bind,
              &berth_overlay_state::begin, &berth_overlay_state::add_pod,
              &berth_overlay_state::remove_pod, &berth_overlay_state::reset,
              &berth_overlay_state::end, &berth_observe::bound, &berth_observe::changed,
              &berth_observe::left, &berth_observe::node_left>;

template <typename Table, auto kMember>
inline constexpr bool kIsOf = std::is_same_v<typename Signature<kMember>::Table, Table>;

template <auto kMember>
inline constexpr Call kCall = static_cast<Call>(static_cast<uint32_t>(Call::kFunction) +
                                                ways::index_in<kMember>(TableFunctions()));

namespace ways {

template <typename Table, auto... kMembers>
constexpr size_t functions_of(Functions<kMembers...>) {
  return (size_t{0} + ... + size_t{kIsOf<Table, kMembers>});
}

}  // namespace ways

// The size of a point's table in this build.
constexpr size_t table_size(Point point) {
  size_t size = 0;
  host::visit_hook_type(point, [&]<typename T>(std::type_identity<T>) {
    using Table = typename T::Table;
    // A function that is forgotten would be one of another process.
    static_assert(sizeof(Table) == sizeof(TableHead) + kData<Table> +
                                       ways::functions_of<Table>(TableFunctions()) * sizeof(void*));
    static_assert(offsetof(Table, hook) == offsetof(TableHead, hook));
    size = sizeof(Table);
  });
  return size;
}

// Inputs of a hook or of a state cross up to this number. The host refuses greater ones.
inline constexpr uint32_t kMostPassedInputs = 1u << 20;

}  // namespace berth::isolation
