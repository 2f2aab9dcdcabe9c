#include "engine/binding/binding_thread.h"

#include <utility>

#include "engine/base/assert.h"
#include "engine/host/faults/fault_reports.h"

// A condition is notified after the mutex was released, so that the woken thread finds it free. The
// `sleeps` flags are written under the mutex by the thread that sleeps: who reads that the other
// does not sleep has changed the counters before the other looks at them again.

namespace berth::binding {

BindingThread::BindingThread(std::function<void(BindingBatch&)> run)
    : run_(std::move(run)), thread_([this] { work(); }) {}

BindingThread::~BindingThread() {
  {
    const MutexLock lock(mutex_);
    stop_ = true;
  }
  work_comes_.notify_one();
  thread_.join();
}

void BindingThread::submit(BindingBatch& batch) {
  bool wake = false;
  {
    const MutexLock lock(mutex_);
    BERTH_ASSERT(submitted_ - done_ < kMostBatches);
    slots_[submitted_++ % kMostBatches] = &batch;
    wake = thread_sleeps_;
  }
  if (wake) work_comes_.notify_one();
}

void BindingThread::wait() {
  const MutexLock lock(mutex_);
  owner_sleeps_ = true;
  while (done_ != submitted_) all_done_.wait(mutex_);
  owner_sleeps_ = false;
  if (failure_) std::rethrow_exception(failure_);
}

BindingBatch* BindingThread::next() {
  const MutexLock lock(mutex_);
  thread_sleeps_ = true;
  while (done_ == submitted_ && !stop_) work_comes_.wait(mutex_);
  thread_sleeps_ = false;
  return stop_ ? nullptr : slots_[done_ % kMostBatches];
}

void BindingThread::work() {
  host::use_fault_stack();
  bool failed = false;
  while (BindingBatch* batch = next()) {
    std::exception_ptr failure;
    if (!failed) {
      try {
        run_(*batch);
      } catch (...) {
        failure = std::current_exception();
        failed = true;
      }
    }
    bool wake = false;
    {
      const MutexLock lock(mutex_);
      if (failure) failure_ = std::move(failure);
      wake = ++done_ == submitted_ && owner_sleeps_;
    }
    if (wake) all_done_.notify_one();
  }
}

}  // namespace berth::binding
