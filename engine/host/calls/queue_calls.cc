// Calls of PreEnqueue, QueueSort and hints.

#include <algorithm>
#include <array>
#include <bit>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/host/calls/checked_calls.h"
#include "engine/host/calls/checks/checks.h"
#include "engine/host/calls/checks/guard.h"
#include "engine/host/calls/hook_invoke.h"
#include "engine/host/faults/life_cycle_call.h"

namespace berth::host {
namespace {

constexpr CodeSet kEnqueueCodes = code_bit(BERTH_SUCCESS) | code_bit(BERTH_UNSCHEDULABLE) |
                                  code_bit(BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);

// Keys are filled with these numbers before a call, half by half.
constexpr std::array<uint64_t, 2> kFillings = {0x9E37'79B9'7F4A'7C15, 0x61C8'8646'80B5'83EA};

using Halves = std::array<uint64_t, 2>;
static_assert(sizeof(Halves) == sizeof(QueueKey));

void fill(std::span<QueueKey> keys, uint64_t filling) {
  std::ranges::fill(keys, std::bit_cast<QueueKey>(Halves{filling, filling}));
}

// The first position whose key has a half that is as it was filled; or kNowhere.
size_t first_filled(std::span<const QueueKey> keys, uint64_t filling) {
  const auto found = std::ranges::find_if(keys, [filling](const QueueKey& key) {
    const auto halves = std::bit_cast<Halves>(key);
    return halves[0] == filling || halves[1] == filling;
  });
  return found == keys.end() ? kNowhere : static_cast<size_t>(found - keys.begin());
}

}  // namespace

PreEnqueue::PreEnqueue(const Owner& owner, const berth_pre_enqueue& table)
    : HookOf(owner, table), check_(table.check) {
  require(check_ != nullptr, "check");
}

CallError PreEnqueue::call(CallContext& calls, berth_call& call, std::span<uint8_t> codes,
                           std::span<uint32_t> reasons) const {
  BERTH_ASSERT(codes.size() >= call.count && reasons.size() >= call.count);
  std::fill_n(codes.begin(), call.count, kUnwrittenCode);
  std::fill_n(reasons.begin(), call.count, 0u);
  CallError error =
      invoke(calls, call, [&] { return check_(instance(), &call, codes.data(), reasons.data()); });
  if (error) return error;
  log_code(calls, call, codes);
  return check_codes(calls, call, "code", codes, kEnqueueCodes);
}

QueueSort::QueueSort(const Owner& owner, const berth_queue_sort& table)
    : HookOf(owner, table), keys_(table.keys) {
  require(keys_ != nullptr, "keys");
}

CallError QueueSort::call_over(CallContext& calls, berth_call& call,
                               std::span<QueueKey> keys) const {
  static_assert(sizeof(QueueKey) == 16);
  BERTH_ASSERT(keys.size() >= call.count);
  return invoke(calls, call, [&] {
    return keys_(instance(), &call, reinterpret_cast<uint8_t(*)[16]>(keys.data()));
  });
}

// All 16 bytes are a possible key, so that there is no value which no plugin may write. Where half
// of a key is as before the call, the plugin is asked once more over other bytes.
CallError QueueSort::call(CallContext& calls, berth_call& call, std::span<QueueKey> keys) const {
  BERTH_ASSERT(keys.size() >= call.count);
  const std::span<QueueKey> asked = keys.first(call.count);
  for (const uint64_t filling : kFillings) {
    fill(asked, filling);
    CallError error = call_over(calls, call, asked);
    if (error) return error;
    const size_t position = first_filled(asked, filling);
    if (position == kNowhere) [[likely]]
      return {};
    if (filling == kFillings.back())
      return broken_at(calls, "wrote no key, or half of one,", position, call.count);
  }
  return {};
}

Hints::Hints(const Owner& owner, const berth_hints& table)
    : HookOf(owner, table), hint_(table.hint) {
  require(table.actions != nullptr, "actions");
  require(hint_ != nullptr, "hint");
  const PluginFunction called = function("actions");
  for (size_t i = 0; i < kKinds.size(); ++i) {
    try {
      const LifeCycleCall scope(called);
      actions_[i] = table.actions(instance(), kKinds[i]);
    } catch (...) {
      throw Error(caught_in(called));
    }
    if (actions_[i] == BERTH_DID_WHATEVER) actions_[i] = kEveryAction;
    if ((actions_[i] & ~kEveryAction) != 0) {
      throw Error("returned the unknown actions " + std::to_string(actions_[i] & ~kEveryAction) +
                  " for kind " + std::to_string(kKinds[i]));
    }
  }
}

uint32_t Hints::actions(uint32_t kind) const {
  const auto found = std::find(kKinds.begin(), kKinds.end(), kind);
  BERTH_ASSERT(found != kKinds.end());
  return actions_[static_cast<size_t>(found - kKinds.begin())];
}

CallError Hints::call(CallContext& calls, berth_call& call, const berth_event& event,
                      uint8_t& helps) const {
  helps = kUnwrittenCode;
  CallError error = invoke(calls, call, [&] { return hint_(instance(), &call, &event, &helps); });
  if (error) return error;
  if (helps <= 1) return {};
  if (helps == kUnwrittenCode) return broken(calls, "wrote no hint");
  return broken(calls, "returned hint " + std::to_string(helps) + "; a hint is 0 or 1");
}

}  // namespace berth::host
