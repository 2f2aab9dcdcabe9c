#pragma once

// The thread that runs batches which were handed over, in their order, one at a time.
//
// Two counters connect the threads. The owner stores a batch into a slot and then raises
// `submitted_`; the binding thread runs it and then raises `done_`. Each counter has one writer. A
// release store and an acquire load of it order the accesses to the slot and to the batch: the
// owner touches a batch only before it submits it and after it saw `done_` at or above its number.
// The slots do not overlap, because at most kMostBatches are submitted and not done.
//
// Both sides wait on the counters (a futex): the owner waits at the points where completions count,
// the thread while there is nothing to run. A hand-over makes no system call while the thread is
// busy.

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>

namespace berth::binding {

class BindingBatch;

// All functions are called by the owner, one thread.
class BindingThread {
 public:
  static constexpr uint32_t kMostBatches = 256;

  // `run` is called on the new thread, for each batch. After it threw, further batches are not run.
  // It and the batches outlive this object.
  explicit BindingThread(std::function<void(BindingBatch&)> run);
  ~BindingThread();  // ends after the batch that is being run; others are not run
  BindingThread(const BindingThread&) = delete;
  BindingThread& operator=(const BindingThread&) = delete;

  // Hands the batch over; it belongs to the thread until wait() returns. Precondition: fewer than
  // kMostBatches were submitted since the last wait().
  void submit(BindingBatch& batch);
  // Returns when all batches were run. Throws what `run` threw, each time from then on.
  void wait();

 private:
  void work();

  const std::function<void(BindingBatch&)> run_;
  std::array<BindingBatch*, kMostBatches> slots_{};  // by number modulo its size
  std::exception_ptr failure_;                       // the thread's, and the owner's after wait
  std::atomic<uint32_t> submitted_{0};               // 32 bits, which wrap: a futex has as many
  std::atomic<uint32_t> done_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;  // last: starts when all others are initialised
};

}  // namespace berth::binding
