#pragma once

// A bounded queue between two threads: one pushes, the other pops. Values change places with the
// slots of the ring, so buffers that a value owns go round and nothing is allocated once all slots
// were filled.
//
// Waiting makes no futex call: who waits spins for a moment, then yields, then sleeps in growing
// steps (backoff.h), and who does not wait makes no system call at all.
//
// Why this is right. Positions count up for ever (64 bits do not wrap); slot = position mod
// capacity.
//  - `pushed_` is written by the producer only, `popped_` by the consumer only, and
//    popped_ <= pushed_ <= popped_ + capacity holds always: each side moves its own position only
//    after it saw the other's at a value that allows it, and the other's can only have grown since.
//  - The producer touches slot p mod capacity only while pushed_ = p and popped_ > p - capacity;
//  the
//    consumer only while popped_ = p < pushed_. By the invariant the two are never at one slot
//    together.
//  - The slot's content crosses over by release and acquire: the producer writes the slot and then
//    store-releases pushed_ = p + 1; a consumer that load-acquires a value > p sees what was
//    written. The same holds the other way with popped_, so a producer that reuses a slot does so
//    after the consumer's swap.
//  - `known_popped_` and `known_pushed_` are copies that only their own side uses. A stale copy is
//  a lower
//    value, which can only make its side look again.
//  - close() store-releases `closed_` after the last push. pop() looks at `closed_` first and at
//    `pushed_` after that: if it saw the ring closed and then nothing left, nothing will ever come.
//  - abandon() carries no data; the producer may see it late, and does see it while it waits.

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/base/backoff.h"

namespace berth {

template <typename T>
class Ring {
 public:
  // Requires: capacity is a power of two.
  explicit Ring(size_t capacity) : slots_(capacity) { BERTH_ASSERT(std::has_single_bit(capacity)); }

  size_t capacity() const { return slots_.size(); }

  // [producer] Puts `value` in and leaves a former one in its place. False if the ring is full;
  // nothing happened then.
  bool try_push(T& value);

  // [producer] The same, but waits for room. False if the consumer abandoned the ring: `value`
  // stays.
  bool push(T& value);

  // [producer] Nothing more comes; wakes the consumer.
  void close() { closed_.store(true, std::memory_order_release); }

  // [consumer] Takes the oldest value and leaves `value` in its place for the producer to reuse.
  // False if the ring is empty; nothing happened then.
  bool try_pop(T& value);

  // [consumer] The same, but waits for a value. False if the ring is closed and empty, or
  // `stop()` is true while it waits.
  template <typename Stop>
  bool pop(T& value, Stop&& stop);
  bool pop(T& value) {
    return pop(value, [] { return false; });
  }

  // [consumer] True if `pop` returns without waiting.
  bool ready() {
    return closed_.load(std::memory_order_acquire) ||
           pushed_.load(std::memory_order_acquire) != popped_.load(std::memory_order_relaxed);
  }

  // [consumer] Wants nothing more: push() stops waiting.
  void abandon() { abandoned_.store(true, std::memory_order_release); }

 private:
  static constexpr size_t kCacheLine = 64;

  T& slot(uint64_t position) { return slots_[position & (slots_.size() - 1)]; }

  std::vector<T> slots_;

  // Each side's fields on cache lines of their own.
  alignas(kCacheLine) std::atomic<uint64_t> pushed_{0};
  uint64_t known_popped_ = 0;
  std::atomic<bool> closed_{false};
  alignas(kCacheLine) std::atomic<uint64_t> popped_{0};
  uint64_t known_pushed_ = 0;
  std::atomic<bool> abandoned_{false};
};

template <typename T>
bool Ring<T>::try_push(T& value) {
  const uint64_t position = pushed_.load(std::memory_order_relaxed);
  if (position - known_popped_ == slots_.size()) {
    known_popped_ = popped_.load(std::memory_order_acquire);
    if (position - known_popped_ == slots_.size()) return false;
  }
  using std::swap;
  swap(slot(position), value);
  pushed_.store(position + 1, std::memory_order_release);
  return true;
}

template <typename T>
bool Ring<T>::push(T& value) {
  for (Backoff backoff; !try_push(value); backoff.wait()) {
    if (abandoned_.load(std::memory_order_acquire)) return false;
  }
  return true;
}

template <typename T>
bool Ring<T>::try_pop(T& value) {
  const uint64_t position = popped_.load(std::memory_order_relaxed);
  if (position == known_pushed_) {
    known_pushed_ = pushed_.load(std::memory_order_acquire);
    if (position == known_pushed_) return false;
  }
  using std::swap;
  swap(slot(position), value);
  popped_.store(position + 1, std::memory_order_release);
  return true;
}

template <typename T>
template <typename Stop>
bool Ring<T>::pop(T& value, Stop&& stop) {
  for (Backoff backoff;; backoff.wait()) {
    const bool closed = closed_.load(std::memory_order_acquire);
    if (try_pop(value)) return true;
    if (closed || stop()) return false;
  }
}

}  // namespace berth
