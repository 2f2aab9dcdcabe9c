#pragma once

// The thread that runs a function, and memory of the host for its own work. Since ABI 1.3.

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>

#include "berth/abi/worker.h"
#include "berth/sdk/host.hpp"

namespace berth::sdk {

class Worker : Service<berth_worker_service> {
 public:
  Worker() = default;
  explicit Worker(Host host) : Service(host, BERTH_WORKER_SERVICE) {}

  // [init] How many threads at most run functions of the instance at once.
  uint32_t count() const { return table_->count(host_); }
  // [init] [cycle] [rows] [bind] The number of the calling thread, below count().
  uint32_t index() const { return table_->index(host_); }
  // [cycle] [rows] [bind] Memory for `count` values until the function returns, aligned to 64
  // bytes; what is in it is undefined. Asking again within the function ends the life of what it
  // got before. Throws std::bad_alloc if there is none, or for more than BERTH_SCRATCH_MAX_BYTES.
  template <class T>
  std::span<T> scratch(size_t count) const {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T> &&
                  alignof(T) <= 64);
    void* memory = count <= BERTH_SCRATCH_MAX_BYTES / sizeof(T)
                       ? table_->scratch(host_, count * sizeof(T))
                       : nullptr;
    if (memory == nullptr) throw std::bad_alloc();
    return {static_cast<T*>(memory), count};
  }
};

}  // namespace berth::sdk
