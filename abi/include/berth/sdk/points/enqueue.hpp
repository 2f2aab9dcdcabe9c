#pragma once

// Hooks of the queue. Derive from a class, declare inputs, override the functions. The C contracts
// are in berth/abi/enqueue.h.

#include <array>
#include <span>

#include "berth/abi/enqueue.h"
#include "berth/sdk/points/prepare.hpp"

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
    table_ = {sizeof(table_), 0, complete(), keys_hook, nullptr, 0, 0};
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

// The same with longer or shorter keys, for example of a priority, a time and a name. Needs a host
// with ABI 1.3: sdk::Hooks states it, and another class of a plugin has a kNeedsMinor.
template <size_t kBytes>
class WideQueueSort : public HookOf<Point::kQueueSort, NoState> {
  static_assert(kBytes >= 1 && kBytes <= BERTH_QUEUE_KEY_MAX_BYTES,
                "keys have from 1 to BERTH_QUEUE_KEY_MAX_BYTES bytes");

 public:
  using Key = uint8_t[kBytes];
  static constexpr uint16_t kNeedsMinor = 3;

  WideQueueSort() { this->needs_minor(kNeedsMinor, "keys of the queue with a length of its own"); }

  const void* table() final {
    table_ = {sizeof(table_), 0, complete(), nullptr, keys_hook, kBytes, 0};
    return &table_;
  }

 protected:
  // [cycle] Writes a whole key per pod. The smallest key leaves first.
  virtual void keys(const Call& call, std::span<Key> keys) const = 0;

 private:
  static berth_code keys_hook(berth_plugin* plugin, const berth_call* call, uint8_t* keys) {
    return guarded(call->error, [&] {
      static_cast<WideQueueSort&>(of(plugin))
          .keys(Call(call), {reinterpret_cast<Key*>(keys), call->count});
    });
  }

  berth_queue_sort table_{};
};

// An event, with the values that its object had and has in the inputs of the hook. Valid for the
// call.
class Event {
 public:
  template <class State>
  Event(const berth_event& raw, const Call<State>& call)
      : raw_(raw), before_(call.same_columns(raw.before)), after_(call.same_columns(raw.after)) {}

  const berth_event& raw() const { return raw_; }
  bool on_node() const { return raw_.kind == BERTH_ON_NODE; }
  bool added() const { return raw_.before == nullptr && raw_.object_before == nullptr; }
  bool deleted() const { return raw_.after == nullptr && raw_.object_after == nullptr; }

  // Of an event of pods: true if its pod is the refused pod; string ids of the nodes that it is
  // assigned and nominated to, 0 for none.
  bool self() const { return raw_.self != 0; }
  uint32_t node() const { return raw_.node; }
  uint32_t nominated_node() const { return raw_.nominated_node; }

  // Of an event of storage: the object as it was and as it is. `Object`: the struct of the event's
  // kind (berth/abi/volumes.h). Null: it was added, or deleted.
  template <class Object>
  const Object* object_before() const {
    return static_cast<const Object*>(raw_.object_before);
  }
  template <class Object>
  const Object* object_after() const {
    return static_cast<const Object*>(raw_.object_after);
  }

  // The object's columns. Reading one of an object that was added (deleted) throws Failure.
  const Columns& before() const { return before_; }
  const Columns& after() const { return after_; }

 private:
  const berth_event& raw_;
  Columns before_, after_;
};

// Says which events may make a refused pod schedulable.
template <class State = NoState>
class Hints : public HookOf<Point::kHints, State> {
 public:
  using Call = sdk::Call<State>;

  const void* table() final {
    table_ = {sizeof(table_), 0, this->complete(), actions_hook, hint_hook};
    return &table_;
  }

 protected:
  // [init] The BERTH_DID_ bits that may help, for one BERTH_ON_ bit that these headers have.
  virtual uint32_t actions(uint32_t kind) const = 0;
  // [cycle] True if the event may help pods of the template, which this plugin refused.
  virtual bool hint(const Call& call, const Event& event) const = 0;

 private:
  // Of a kind that came with a later ABI the plugin cannot say anything.
  static constexpr uint32_t kKnownKinds =
      BERTH_ON_POD_ASSIGNED | BERTH_ON_POD_PENDING | BERTH_ON_NODE | BERTH_ON_STORAGE;

  static const Hints& self(berth_plugin* plugin) {
    return static_cast<const Hints&>(HookOf<Point::kHints, State>::of(plugin));
  }
  static uint32_t actions_hook(berth_plugin* plugin, uint32_t kind) {
    uint32_t bits = 0;
    if ((kind & kKnownKinds) == 0) return bits;
    guarded(nullptr, [&] { bits = self(plugin).actions(kind); });
    return bits;
  }
  static berth_code hint_hook(berth_plugin* plugin, const berth_call* raw, const berth_event* event,
                              uint8_t* queue) {
    return guarded(raw->error, [&] {
      const Call call(raw);
      *queue = self(plugin).hint(call, Event(*event, call)) ? 1 : 0;
    });
  }

  berth_hints table_{};
};

}  // namespace berth::sdk
