#pragma once

// What a thread that calls plugins brings along: a sign of what it is doing right now, which the
// watchdog reads; counts; and a place for texts. Nothing of it is locked or allocated while hooks
// are called.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/base.h"

namespace berth::host {

// One plugin instance at one extension point, or one of its life-cycle functions. 0: none.
using HookId = uint32_t;
inline constexpr HookId kMostHooks = 4096;

// The names of hooks, by id. Filled while plugins are set up, read by the watchdog and by reports:
// any thread, under a lock that no call to a plugin ever takes.
class HookTable {
 public:
  struct Name {
    std::string plugin;
    std::string hook;  // "Filter"
  };

  HookId add(std::string_view plugin, std::string_view hook);
  Name name(HookId id) const;
  HookId size() const;  // ids are 1..size()

 private:
  // Protects names_. A leaf: nothing is locked while it is held.
  mutable std::mutex mutex_;
  std::vector<Name> names_;
};

// Of one hook on one worker. Sum them over the workers while those stand still.
struct HookCounts {
  uint64_t calls = 0;
  uint64_t errors = 0;  // calls that ended in a CallError
  uint64_t timed_calls = 0;
  uint64_t timed_nanoseconds = 0;  // of those

  HookCounts& operator+=(const HookCounts& other);
};

// Calls one by one, as far as there is room; those for which there is none are counted.
class CallLog {
 public:
  using Clock = std::chrono::steady_clock;
  struct Call {
    HookId hook = 0;
    Clock::time_point begin, end;
  };

  explicit CallLog(size_t most) { calls_.reserve(most); }
  void add(const Call& call) {
    if (calls_.size() < calls_.capacity()) {
      calls_.push_back(call);
    } else {
      ++dropped_;
    }
  }
  const std::vector<Call>& calls() const { return calls_; }
  uint64_t dropped() const { return dropped_; }

 private:
  std::vector<Call> calls_;  // nested ones come before those that they are in
  uint64_t dropped_ = 0;
};

// Belongs to one thread at a time.
class alignas(64) CallContext {
 public:
  CallContext();
  CallContext(const CallContext&) = delete;
  CallContext& operator=(const CallContext&) = delete;

  HookCounts& counts(HookId id) { return counts_[id]; }
  const HookCounts& counts(HookId id) const { return counts_[id]; }

  // While set, calls are timed by the clock: meant for one decision in 256.
  void time_calls(bool yes) { timing_ = yes; }
  bool times_calls() const { return timing_; }
  // Calls that are timed go there, too; null: nowhere. It outlives the worker, or the next call
  // of this.
  void log_calls(CallLog* log) { log_ = log; }
  // One call that was timed.
  void add_time(const CallLog::Call& call);

  // Where the plugin that is called writes its texts. `text` is all that it wrote during the last
  // call, `text(i)` one of the `texts()` writes; writes beyond kMostTexts join the last one.
  const berth_text_sink* sink() const { return &sink_; }
  const std::string& text() const { return text_; }
  size_t texts() const { return text_ends_.size(); }
  std::string_view text(size_t i) const {
    const size_t begin = i == 0 ? 0 : text_ends_[i - 1];
    return std::string_view(text_).substr(begin, text_ends_[i] - begin);
  }
  void clear_text() {
    if (text_ends_.empty()) return;
    text_.clear();
    text_ends_.clear();
  }

  // Around a call; `leave` gets what `enter` returned. Calls may nest: a hook asks the host
  // something that the host asks other hooks.
  uint64_t enter(HookId id) {
    const uint64_t outer = current_;
    current_ = ++sequence_ << kHookBits | id;
    activity_.store(current_, std::memory_order_relaxed);
    return outer;
  }
  void leave(uint64_t outer) {
    current_ = outer;
    activity_.store(outer, std::memory_order_relaxed);
  }

  // Whether the watchdog found the call that is under way to take too long.
  bool late() const { return late_.load(std::memory_order_relaxed) == current_; }

  // For the watchdog; any thread. Two equal values of which hook_of() is not 0 mean that one call
  // was under way at both times.
  uint64_t activity() const { return activity_.load(std::memory_order_relaxed); }
  // Tells the owner that a call with that value takes too long.
  void mark_late(uint64_t activity) { late_.store(activity, std::memory_order_relaxed); }
  static HookId hook_of(uint64_t activity) { return activity & (kMostHooks - 1); }

 private:
  static constexpr uint32_t kHookBits = 12;
  static_assert(kMostHooks == 1u << kHookBits);
  // 52 bits of sequence last 142 years at a million calls a second.

  static void write(void* context, berth_string text) noexcept;

  // Why relaxed order is enough: only the owner writes, and each value is one word, so a reader
  // sees some value that was stored, never a mixture. A store becomes visible to the watchdog in
  // finite time, and per-object coherence orders what it reads: it never sees an older value after
  // a newer one. A value that it reads twice, N seconds apart, names a call that had begun by the
  // first read and had not ended (or only just) by the second: every call has a sequence number of
  // its own, and its word stands there again only when a call nested in it is over. The word
  // publishes no other data: names come from the HookTable, under its lock.
  std::atomic<uint64_t> activity_{0};
  // Only the watchdog writes it, one word, and the owner only compares it with the word of its own
  // call, which no other call ever has: so it can take no other call for late. If the store becomes
  // visible after the call is over, that call passes.
  std::atomic<uint64_t> late_{0};
  uint64_t current_ = 0;  // what activity_ holds
  uint64_t sequence_ = 0;
  bool timing_ = false;
  CallLog* log_ = nullptr;
  std::unique_ptr<HookCounts[]> counts_;
  berth_text_sink sink_;
  std::string text_;
  std::vector<uint32_t> text_ends_;  // of each write, in text_
};

}  // namespace berth::host
