#pragma once

// The thread that runs batches which were handed over, in their order, one at a time.
//
// A mutex guards two counters and the slots between the threads: the owner stores a batch into a
// slot and raises `submitted_`; the binding thread runs it, without the mutex, and raises `done_`.
// The owner touches a batch only before it submits it and after wait(). The slots do not overlap,
// because at most kMostBatches are submitted and not done.
//
// Each side sleeps on a condition of its own and is woken only if it sleeps: the thread when there
// is something to run, the owner when everything was run. So a hand-over makes no system call while
// the thread is busy, and a thread that waits gives its processor away at once.
// (std::atomic::wait yields several times first, and each yield may cost a time slice of another
// process.)

#include <array>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>

#include "engine/base/mutex.h"

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
  // [thread] The next batch, or null: the thread ends.
  BindingBatch* next();

  const std::function<void(BindingBatch&)> run_;
  Mutex mutex_;
  std::condition_variable_any work_comes_;                                    // for the thread
  std::condition_variable_any all_done_;                                      // for the owner
  std::array<BindingBatch*, kMostBatches> slots_ BERTH_GUARDED_BY(mutex_){};  // by number
  uint32_t submitted_ BERTH_GUARDED_BY(mutex_) = 0;                           // wraps
  uint32_t done_ BERTH_GUARDED_BY(mutex_) = 0;
  bool thread_sleeps_ BERTH_GUARDED_BY(mutex_) = false;
  bool owner_sleeps_ BERTH_GUARDED_BY(mutex_) = false;
  bool stop_ BERTH_GUARDED_BY(mutex_) = false;
  std::exception_ptr failure_ BERTH_GUARDED_BY(mutex_);
  std::thread thread_;  // last: starts when all others are initialised
};

}  // namespace berth::binding
