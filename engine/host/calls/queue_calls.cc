// Calls of PreEnqueue, QueueSort and hints.

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

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

void fill(std::span<uint8_t> keys, uint64_t filling) {
  const Halves key = {filling, filling};
  for (size_t at = 0; at < keys.size(); at += sizeof key)
    std::memcpy(keys.data() + at, &key, sizeof key);
}

// The first position whose key has a half that is as it was filled; or kNowhere.
size_t first_filled(std::span<const uint8_t> keys, uint64_t filling) {
  Halves key;
  for (size_t at = 0; at < keys.size(); at += sizeof key) {
    std::memcpy(&key, keys.data() + at, sizeof key);
    if (key[0] == filling || key[1] == filling) return at / sizeof key;
  }
  return kNowhere;
}

// Wide keys before a call. Eight of their bytes that are still there, or all of a shorter key, are
// taken for unwritten.
class WideFilling {
 public:
  WideFilling(uint64_t filling, size_t bytes) : bytes_(bytes) {
    for (size_t at = 0; at < bytes; ++at) key_[at] = static_cast<uint8_t>(filling >> (at % 8 * 8));
  }
  void fill(std::span<uint8_t> keys) const {
    for (size_t at = 0; at < keys.size(); at += bytes_)
      std::memcpy(keys.data() + at, key_.data(), bytes_);
  }
  bool is_in(const uint8_t* key) const {
    const size_t part = std::min(bytes_, sizeof(uint64_t)), last = bytes_ - part;
    for (size_t at = 0;; at = std::min(at + part, last)) {
      if (std::memcmp(key + at, key_.data() + at, part) == 0) return true;
      if (at == last) return false;
    }
  }
  std::vector<size_t> positions(std::span<const uint8_t> keys) const {
    std::vector<size_t> found;
    for (size_t at = 0; at < keys.size(); at += bytes_)
      if (is_in(keys.data() + at)) found.push_back(at / bytes_);
    return found;
  }

 private:
  size_t bytes_;
  std::array<uint8_t, BERTH_QUEUE_KEY_MAX_BYTES> key_;
};

// Throws Error if the members about wide keys contradict each other.
void check_wide(const berth_queue_sort& table) {
  if (!BERTH_HAS(&table, wide_key_bytes)) return;
  const uint32_t bytes = table.wide_key_bytes;
  if (table.wide_keys == nullptr && bytes != 0)
    throw Error("has keys of " + std::to_string(bytes) + " bytes without the function wide_keys");
  if (table.wide_keys != nullptr && (bytes == 0 || bytes > BERTH_QUEUE_KEY_MAX_BYTES))
    throw Error("has wide keys of " + std::to_string(bytes) + " bytes, expected 1 to " +
                std::to_string(BERTH_QUEUE_KEY_MAX_BYTES));
  if (!BERTH_HAS(&table, reserved2)) return;
  if (const auto problem = reserved_problem(table.reserved2, "reserved2"))
    throw Error("has " + *problem);
}

bool has_wide(const berth_queue_sort& table) {
  return BERTH_HAS(&table, wide_key_bytes) && table.wide_keys != nullptr;
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
    : HookOf(owner, table),
      keys_(table.keys),
      wide_keys_(has_wide(table) ? table.wide_keys : nullptr),
      key_bytes_(has_wide(table) ? table.wide_key_bytes : sizeof(QueueKey)) {
  check_wide(table);
  if (keys_ == nullptr && !BERTH_HAS(&table, wide_key_bytes))
    throw Error("has no function keys, and its table of " + std::to_string(table.size) +
                " bytes ends before wide_key_bytes");
  require(keys_ != nullptr || wide_keys_ != nullptr, "keys");
}

CallError QueueSort::call_over(CallContext& calls, berth_call& call,
                               std::span<uint8_t> keys) const {
  BERTH_ASSERT(keys.size() >= call.count * key_bytes_);
  return invoke(calls, call, [&] {
    if (wide_keys_ != nullptr) return wide_keys_(instance(), &call, keys.data());
    return keys_(instance(), &call, reinterpret_cast<uint8_t(*)[16]>(keys.data()));
  });
}

// All bytes are a possible key, so that there is no value which no plugin may write. Where half of
// a key is as before the call, the plugin is asked once more over other bytes.
CallError QueueSort::call(CallContext& calls, berth_call& call, std::span<uint8_t> keys) const {
  BERTH_ASSERT(keys.size() >= call.count * key_bytes_);
  const std::span<uint8_t> asked = keys.first(call.count * key_bytes_);
  if (wide_keys_ != nullptr) return call_wide(calls, call, asked);
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

// Short keys often are like the bytes before the call by chance, so a key counts as unwritten if it
// is like them both times.
CallError QueueSort::call_wide(CallContext& calls, berth_call& call,
                               std::span<uint8_t> keys) const {
  const WideFilling first(kFillings.front(), key_bytes_), second(kFillings.back(), key_bytes_);
  first.fill(keys);
  if (CallError error = call_over(calls, call, keys)) return error;
  const std::vector<size_t> suspects = first.positions(keys);
  if (suspects.empty()) [[likely]]
    return {};
  second.fill(keys);
  if (CallError error = call_over(calls, call, keys)) return error;
  for (const size_t position : suspects)
    if (second.is_in(keys.data() + position * key_bytes_))
      return broken_at(calls, "wrote no key, or a part of one,", position, call.count);
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
