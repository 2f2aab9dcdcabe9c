#pragma once

// The threads that run functions of plugins, by number: 0 is the binding thread, 1 the one that
// owns the model, and those that help it follow, by their slot in the arena. So no two threads of a
// core that run functions at the same time have the same number, and there is one more than the
// deciding threads.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "engine/host/faults/in_plugin.h"

namespace berth::host {

class Worker {
 public:
  static constexpr uint32_t kBinding = 0;
  // `threads`: those that decide.
  static constexpr uint32_t count(uint32_t threads) { return threads + 1; }

  // To be called at the beginning of a task, on the thread that runs it. `slot`: of the arena; 0 is
  // the deciding thread.
  static void is_slot(size_t slot) { current_ = static_cast<uint32_t>(slot) + 1; }
  // To be called on the binding thread.
  static void is_binding() { current_ = kBinding; }
  // Of the calling thread, which runs a function of a plugin.
  static uint32_t current() { return current_; }

 private:
  // Whoever runs no tasks of others is a deciding thread.
  static inline constinit thread_local uint32_t current_ = 1;
};

// Runs a body of the parallel service. The function that started it is the caller's, whatever the
// thread.
class ParallelBody {
 public:
  explicit ParallelBody(const PluginFunction* of) : outer_(current_) { current_ = of; }
  ~ParallelBody() { current_ = outer_; }
  ParallelBody(const ParallelBody&) = delete;
  ParallelBody& operator=(const ParallelBody&) = delete;

  static const PluginFunction* current() { return current_; }  // null: no body runs

 private:
  static inline constinit thread_local const PluginFunction* current_ = nullptr;

  const PluginFunction* outer_;
};

// The function of a plugin that the calling thread runs, bodies of the parallel service included;
// null: it is a thread of the plugin's own.
inline const PluginFunction* running_function() {
  const PluginFunction* function = InPlugin::current();
  return function != nullptr ? function : ParallelBody::current();
}

// The scratch memory of one plugin instance on one thread: a block for each of its functions, since
// one of them may run within another (a what-if of a PostFilter asks the plugin's own Filter).
class Scratch {
 public:
  static constexpr uint64_t kMostBytes = uint64_t{256} << 20;
  static constexpr size_t kAlignment = 64;

  // At least `bytes`, for the function `of`, or a body that it started. Null: too much, or there is
  // no memory.
  void* get(const void* of, bool body, uint64_t bytes) {
    if (bytes > kMostBytes) return nullptr;
    Block& block = this->block(of, body);
    if (bytes > block.size || block.memory == nullptr) grow(block, bytes);
    return block.memory.get();
  }

 private:
  struct Free {
    void operator()(void* memory) const {
      ::operator delete (memory, std::align_val_t{kAlignment});
    }
  };
  struct Block {
    const void* of;
    bool body;
    uint64_t size = 0;
    std::unique_ptr<void, Free> memory{};
  };

  Block& block(const void* of, bool body) {
    for (Block& block : blocks_)
      if (block.of == of && block.body == body) return block;
    blocks_.push_back({of, body});
    return blocks_.back();
  }
  static void grow(Block& block, uint64_t bytes) {
    constexpr uint64_t kLeast = 4096;
    uint64_t size = bytes < kLeast ? kLeast : bytes + bytes / 2;
    if (size > kMostBytes) size = kMostBytes;
    block.memory.reset();
    block.memory.reset(::operator new (size, std::align_val_t{kAlignment}, std::nothrow));
    block.size = block.memory != nullptr ? size : 0;
  }

  std::vector<Block> blocks_;
};

}  // namespace berth::host
