#pragma once

// Hooks of the queue. A position is one pod. Derive from a class, declare inputs, override the
// function. The C contracts are in berth/abi/enqueue.h.

#include <array>
#include <span>

#include "berth/abi/enqueue.h"
#include "berth/sdk/prepare.hpp"

namespace berth::sdk {

// Decides whether a pod may enter the queue.
class PreEnqueue : public HookOf<Point::kPreEnqueue, NoState> {
 public:
  const void* table() final {
    table_ = {sizeof(table_), 0, complete(), check_hook};
    return &table_;
  }

 protected:
  // [cycle] Writes a code per pod, and a reason for each refusal.
  virtual void check(const Call& call, std::span<uint8_t> codes,
                     std::span<uint32_t> reasons) const = 0;

 private:
  static berth_code check_hook(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                               uint32_t* reasons) {
    return guarded(call->error, [&] {
      static_cast<PreEnqueue&>(of(plugin))
          .check(Call(call), {codes, call->count}, {reasons, call->count});
    });
  }

  berth_pre_enqueue table_{};
};

using SortKey = uint8_t[16];

// Writes `value` so that comparing the 8 bytes compares the numbers.
inline void put_ordered(uint8_t* out, int64_t value) {
  const uint64_t shifted = static_cast<uint64_t>(value) ^ (uint64_t{1} << 63);
  for (int i = 0; i < 8; ++i) out[i] = static_cast<uint8_t>(shifted >> (56 - 8 * i));
}

// Decides in which order pods leave the queue.
class QueueSort : public HookOf<Point::kQueueSort, NoState> {
 public:
  const void* table() final {
    table_ = {sizeof(table_), 0, complete(), keys_hook};
    return &table_;
  }

 protected:
  // [cycle] Writes a key of 16 bytes per pod. The smallest key leaves first.
  virtual void keys(const Call& call, std::span<SortKey> keys) const = 0;

 private:
  static berth_code keys_hook(berth_plugin* plugin, const berth_call* call, uint8_t (*keys)[16]) {
    return guarded(call->error, [&] {
      static_cast<QueueSort&>(of(plugin)).keys(Call(call), {keys, call->count});
    });
  }

  berth_queue_sort table_{};
};

// Says which events may make a refused pod schedulable.
class Hints : public HookOf<Point::kHints, NoState> {
 public:
  const void* table() final {
    table_ = {sizeof(table_), 0, complete(), actions_hook, hint_hook};
    return &table_;
  }

 protected:
  // [init] The BERTH_DID_ bits that may help, for one BERTH_ON_ bit.
  virtual uint32_t actions(uint32_t kind) const = 0;
  // [cycle] Writes queue[i] = 1 if the event may help pod i, which this plugin refused.
  virtual void hint(const Call& call, const berth_event& event, std::span<uint8_t> queue) const = 0;

 private:
  static uint32_t actions_hook(berth_plugin* plugin, uint32_t kind) {
    uint32_t bits = 0;
    guarded(nullptr, [&] { bits = static_cast<Hints&>(of(plugin)).actions(kind); });
    return bits;
  }
  static berth_code hint_hook(berth_plugin* plugin, const berth_call* call,
                              const berth_event* event, uint8_t* queue) {
    return guarded(call->error, [&] {
      static_cast<Hints&>(of(plugin)).hint(Call(call), *event, {queue, call->count});
    });
  }

  berth_hints table_{};
};

}  // namespace berth::sdk
