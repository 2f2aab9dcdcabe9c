#pragma once

// The common parts of the tables of all extension points, so that both sides can pass them on.

#include <cstddef>
#include <cstdint>

#include "berth/abi/bind.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/filter.h"
#include "berth/abi/overlay.h"
#include "berth/abi/score.h"
#include "engine/host/calls/points.h"

namespace berth::isolation {

// The beginning of each table.
struct TableHead {
  uint32_t size;
  uint32_t flags;
  const berth_hook* hook;
};
static_assert(offsetof(berth_pre_enqueue, hook) == offsetof(TableHead, hook));
static_assert(offsetof(berth_queue_sort, hook) == offsetof(TableHead, hook));
static_assert(offsetof(berth_hints, hook) == offsetof(TableHead, hook));
static_assert(offsetof(berth_pre_filter, hook) == offsetof(TableHead, hook));
static_assert(offsetof(berth_filter, hook) == offsetof(TableHead, hook));
static_assert(offsetof(berth_post_filter, hook) == offsetof(TableHead, hook));
static_assert(offsetof(berth_pre_score, hook) == offsetof(TableHead, hook));
static_assert(offsetof(berth_score, hook) == offsetof(TableHead, hook));
static_assert(offsetof(berth_reserve, hook) == offsetof(TableHead, hook));
static_assert(offsetof(berth_permit, hook) == offsetof(TableHead, hook));
static_assert(offsetof(berth_pre_bind, hook) == offsetof(TableHead, hook));
static_assert(offsetof(berth_bind, hook) == offsetof(TableHead, hook));
static_assert(offsetof(berth_post_bind, hook) == offsetof(TableHead, hook));
static_assert(offsetof(berth_overlay_state, hook) == offsetof(TableHead, hook));

// The size of a point's table in this build.
constexpr size_t table_size(host::Point point) {
  switch (point) {
    case host::Point::kPreEnqueue:
      return sizeof(berth_pre_enqueue);
    case host::Point::kQueueSort:
      return sizeof(berth_queue_sort);
    case host::Point::kHints:
      return sizeof(berth_hints);
    case host::Point::kPreFilter:
      return sizeof(berth_pre_filter);
    case host::Point::kFilter:
      return sizeof(berth_filter);
    case host::Point::kPostFilter:
      return sizeof(berth_post_filter);
    case host::Point::kPreScore:
      return sizeof(berth_pre_score);
    case host::Point::kScore:
      return sizeof(berth_score);
    case host::Point::kReserve:
      return sizeof(berth_reserve);
    case host::Point::kPermit:
      return sizeof(berth_permit);
    case host::Point::kPreBind:
      return sizeof(berth_pre_bind);
    case host::Point::kBind:
      return sizeof(berth_bind);
    case host::Point::kPostBind:
      return sizeof(berth_post_bind);
    case host::Point::kOverlayState:
      return sizeof(berth_overlay_state);
  }
  return 0;
}

// Inputs of a hook or of a state cross up to this number. The host refuses greater ones.
inline constexpr uint32_t kMostPassedInputs = 1u << 20;

}  // namespace berth::isolation
