#include "engine/binding/binding_thread.h"

#include <utility>

#include "engine/base/assert.h"

// The stores that a notification follows are sequentially consistent, which is more than the
// hand-over needs: notify_one() makes no system call if it reads that nobody waits, and a weaker
// store could become visible only after that read, to a waiter that had read the old value and
// sleeps.

namespace berth::binding {

BindingThread::BindingThread(std::function<void(BindingBatch&)> run)
    : run_(std::move(run)), thread_([this] { work(); }) {}

BindingThread::~BindingThread() {
  // Relaxed: the store of submitted_ that follows publishes it.
  stop_.store(true, std::memory_order_relaxed);
  submitted_.fetch_add(1, std::memory_order_seq_cst);
  submitted_.notify_one();
  thread_.join();
}

void BindingThread::submit(BindingBatch& batch) {
  const uint32_t position = submitted_.load(std::memory_order_relaxed);
  BERTH_ASSERT(position - done_.load(std::memory_order_acquire) < kMostBatches);
  slots_[position % kMostBatches] = &batch;
  submitted_.store(position + 1, std::memory_order_seq_cst);
  submitted_.notify_one();
}

void BindingThread::wait() {
  const uint32_t all = submitted_.load(std::memory_order_relaxed);
  for (uint32_t done = done_.load(std::memory_order_acquire); done != all;
       done = done_.load(std::memory_order_acquire))
    done_.wait(done, std::memory_order_acquire);
  if (failure_) std::rethrow_exception(failure_);
}

void BindingThread::work() {
  for (uint32_t done = 0;; ++done) {
    uint32_t submitted = submitted_.load(std::memory_order_acquire);
    for (; submitted == done; submitted = submitted_.load(std::memory_order_acquire))
      submitted_.wait(done, std::memory_order_acquire);
    if (stop_.load(std::memory_order_relaxed)) return;
    if (!failure_) {
      try {
        run_(*slots_[done % kMostBatches]);
      } catch (...) {
        failure_ = std::current_exception();
      }
    }
    done_.store(done + 1, std::memory_order_seq_cst);
    done_.notify_one();
  }
}

}  // namespace berth::binding
