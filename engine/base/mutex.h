#pragma once

// A mutex that clang's thread-safety analysis understands: clang refuses code that accesses a
// member with BERTH_GUARDED_BY(mutex) without holding that mutex. Other compilers see plain locks.

#include <mutex>

#if defined(__clang__)
#define BERTH_THREAD_ANNOTATION(what) __attribute__((what))
#else
#define BERTH_THREAD_ANNOTATION(what)
#endif
#define BERTH_GUARDED_BY(mutex) BERTH_THREAD_ANNOTATION(guarded_by(mutex))
// Of a function: its caller holds the mutex.
#define BERTH_REQUIRES(mutex) BERTH_THREAD_ANNOTATION(requires_capability(mutex))

namespace berth {

class BERTH_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  void lock() BERTH_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }
  void unlock() BERTH_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

// Locks a mutex during its own lifetime. The mutex must outlive it.
class BERTH_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) BERTH_THREAD_ANNOTATION(acquire_capability(mutex))
      : mutex_(mutex) {
    mutex_.lock();
  }
  ~MutexLock() BERTH_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace berth
