#pragma once

// A bounded queue between two threads: one pushes, the other pops. push and pop swap the value with
// a slot of the ring, so buffers owned by values are reused, and nothing is allocated once all
// slots were filled.
//
// Waiting makes no futex call: a waiter spins briefly, then yields, then sleeps in growing steps
// (backoff.h). Without waiting there is no system call.
//
// Neither library queue serves: oneTBB's concurrent_bounded_queue and Boost's spsc_queue move or
// copy values, so that a batch loses its buffers at each pass; the former waits with a futex, the
// latter not at all; neither has an end (close) that values pushed before it survive, and TBB's
// abort throws.
//
// Why this is correct. Positions only grow (64 bits do not wrap); slot = position mod capacity.
//  - Only the producer writes `pushed_`, only the consumer writes `popped_`, and popped_ <= pushed_
//    <= popped_ + capacity always holds: each side advances its own position only after it has seen
//    a value of the other's that permits it, and the other's can only have grown since.
//  - The producer accesses slot p mod capacity only while pushed_ = p and popped_ > p - capacity,
//    the consumer only while popped_ = p < pushed_. By the invariant they never access one slot at
//    the same time.
//  - Release and acquire order the slot's content: the producer writes the slot and then
//    store-releases pushed_ = p + 1; a consumer that load-acquires a value > p sees the content.
//    The same holds for popped_ in the other direction, so a producer that reuses a slot does so
//    after the consumer's swap.
//  - `known_popped_` and `known_pushed_` are private copies of the other side's position. A stale
//    copy is smaller, which only makes its owner load the position again.
//  - close() store-releases `closed_` after the last push. pop() loads `closed_` first and
//    `pushed_` second: if it saw the ring closed and then empty, no value will follow.
//  - abandon() transfers no data. The producer may see it late, but it does see it while it waits.

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
  // Requires that capacity is a power of two.
  explicit Ring(size_t capacity) : slots_(capacity) { BERTH_ASSERT(std::has_single_bit(capacity)); }

  size_t capacity() const { return slots_.size(); }

  // [producer] Swaps `value` into the ring. Returns false, without effect, if the ring is full.
  // Precondition of this and push(): the ring is not closed.
  [[nodiscard]] bool try_push(T& value);

  // [producer] Like try_push, but waits for room. Returns false, without effect, if the consumer
  // has abandoned the ring.
  [[nodiscard]] bool push(T& value);

  // [producer] No more values will be pushed. Ends the consumer's waiting.
  void close() { closed_.store(true, std::memory_order_release); }

  // [consumer] Swaps the oldest value out of the ring; the old `value` stays in the slot for the
  // producer to reuse. Returns false, without effect, if the ring is empty.
  [[nodiscard]] bool try_pop(T& value);

  // [consumer] Like try_pop, but waits for a value. Returns false if the ring is closed and empty,
  // or if `stop()` is true while it waits.
  template <typename Stop>
  [[nodiscard]] bool pop(T& value, Stop&& stop);
  [[nodiscard]] bool pop(T& value) {
    return pop(value, [] { return false; });
  }

  // [consumer] True once the producer closed the ring: it touches nothing any more.
  bool closed() const { return closed_.load(std::memory_order_acquire); }

  // [consumer] True if `pop` returns without waiting.
  bool ready() {
    return closed_.load(std::memory_order_acquire) ||
           pushed_.load(std::memory_order_acquire) != popped_.load(std::memory_order_relaxed);
  }

  // [consumer] No more values will be popped. Ends the producer's waiting.
  void abandon() { abandoned_.store(true, std::memory_order_release); }

 private:
  static constexpr size_t kCacheLine = 64;

  T& slot(uint64_t position) { return slots_[position & (slots_.size() - 1)]; }

  std::vector<T> slots_;

  // The fields of each side have cache lines of their own.
  alignas(kCacheLine) std::atomic<uint64_t> pushed_{0};
  uint64_t known_popped_ = 0;
  std::atomic<bool> closed_{false};
  alignas(kCacheLine) std::atomic<uint64_t> popped_{0};
  uint64_t known_pushed_ = 0;
  std::atomic<bool> abandoned_{false};
};

template <typename T>
bool Ring<T>::try_push(T& value) {
  BERTH_ASSERT(!closed_.load(std::memory_order_relaxed));
  const uint64_t position = pushed_.load(std::memory_order_relaxed);
  if (position - known_popped_ == slots_.size()) {
    known_popped_ = popped_.load(std::memory_order_acquire);
    BERTH_ASSERT(position - known_popped_ <= slots_.size());
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
    BERTH_ASSERT(known_pushed_ - position <= slots_.size());
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
