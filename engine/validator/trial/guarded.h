#pragma once

// Arrays in pages of their own, between pages that nobody may touch, for the arguments of one call.
//
// A plugin that reads or writes where it must not makes the processor fault. The handler of the
// fault (watch_guards) finds the array by the address, writes a line that names the plugin, the
// function and the array, and ends the process with status 70; the parent of the child reads the
// line.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/framework/hooks/bound_hook.h"

namespace berth::validator {

struct GuardOptions {
  // Which side of an array touches a page that nobody may touch. kBehind: the end; what the
  // contract promises to be readable behind the last value of a column comes in between.
  enum class Side : uint8_t { kBehind, kBefore };
  Side side = Side::kBehind;
  bool read_only = false;       // inputs cannot be written during the call
  bool ends_with_call = false;  // nobody may touch the arrays after the call
  bool stops = false;           // the first touch of each array of values calls the interlude
  uint8_t padding = 0xA5;       // what the bytes behind the last value hold
};

// The arrays of one call. One thread. At most 64 sets of arrays exist at a time whose memory is
// watched after their call; older ones are unmapped.
class Guarded {
 public:
  explicit Guarded(const GuardOptions& options) : options_(options) {}
  ~Guarded();  // the call is over
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  // Replaces the arrays of the columns by copies. `names`: of the columns, in step; they are
  // copied.
  void take(std::vector<berth_column>& columns, const std::vector<std::string>& names);
  // A copy of other inputs of the call. Null for null.
  template <typename T>
  const T* input(std::string_view name, const T* data, size_t count) {
    if (data == nullptr) return nullptr;
    return static_cast<const T*>(add(name, data, count * sizeof(T), alignof(T), 0, false));
  }
  // An array that the plugin fills.
  template <typename T>
  T* output(std::string_view name, size_t count) {
    return static_cast<T*>(add(name, nullptr, count * sizeof(T), alignof(T), 0, true));
  }
  // To be called before the call, when all arrays are there.
  void protect();

 private:
  // `behind`: bytes that may be read behind the array.
  void* add(std::string_view name, const void* data, size_t bytes, size_t alignment, size_t behind,
            bool output);

  GuardOptions options_;
  std::vector<size_t> arrays_;  // numbers in the table of the handler
};

// The function that the first touch of an array calls, on the thread that touched it and in the
// handler of a signal, before that thread goes on. Null: nothing.
using Interlude = void (*)();
void set_interlude(Interlude interlude);

// Installs the handler for faults at guarded addresses. Other faults go to the handler that was
// there before. Called again, it does nothing.
void watch_guards();

}  // namespace berth::validator
