#pragma once

// The per-thread context of calls to plugins: the current activity, which the watchdog reads;
// counters; and a buffer for the plugin's text. A call through it takes no lock and allocates
// nothing.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/base.h"
#include "engine/base/mutex.h"

namespace berth::host {

// One plugin instance at one extension point, or one of its life-cycle functions. 0: no hook.
using HookId = uint32_t;
inline constexpr HookId kMostHooks = 4096;

// The names of hooks, by id. Filled while plugins are set up; read by the watchdog and by reports.
// Thread-safe: a mutex, which no call to a plugin takes.
class HookTable {
 public:
  struct Name {
    std::string plugin;
    std::string hook;  // such as "Filter"
    std::string file;  // of the plugin; empty: unknown

    // A summary names by this text the calls in HookCounts::broken.
    std::string broke_contract() const {
      return "plugin \"" + plugin + "\" broke the contract in " + hook;
    }
  };

  // Returns the id of a new hook. Requires size() < kMostHooks - 1.
  HookId add(std::string_view plugin, std::string_view hook, std::string_view file = {});
  Name name(HookId id) const;  // requires: id is in 1..size()
  HookId size() const;         // ids are 1..size()

 private:
  // Last in the lock order: no other lock is taken while it is held.
  mutable Mutex mutex_;
  std::vector<Name> names_ BERTH_GUARDED_BY(mutex_);
};

// Counters of one hook in one context. To sum them over contexts, no context may be in use.
struct HookCounts {
  uint64_t calls = 0;
  uint64_t errors = 0;  // calls that ended in a CallError
  // Of these, the ones that the plugin did not report: it broke the contract, or took too long.
  uint64_t broken = 0;
  uint64_t timed_calls = 0;
  uint64_t timed_nanoseconds = 0;  // total time of the timed calls

  HookCounts& operator+=(const HookCounts& other);
};

// A bounded list of timed calls. Counts the calls that do not fit. Belongs to one thread.
class CallLog {
 public:
  using Clock = std::chrono::steady_clock;
  struct Call {
    HookId hook = 0;
    Clock::time_point begin, end;
    // A BERTH_ code: the answer, where a call has one; ERROR of one that failed; else SUCCESS.
    uint8_t code = BERTH_SUCCESS;
  };

  // `most`: number of calls to keep. Memory for all of them is allocated here.
  explicit CallLog(size_t most) { calls_.reserve(most); }
  void add(const Call& call) {
    last_kept_ = calls_.size() < calls_.capacity();
    if (last_kept_) {
      calls_.push_back(call);
    } else {
      ++dropped_;
    }
  }
  // The code of the call of this hook that was added last.
  void set_code(HookId hook, uint8_t code) {
    if (last_kept_ && calls_.back().hook == hook) calls_.back().code = code;
  }
  // Forgets the calls.
  void clear() {
    calls_.clear();
    last_kept_ = false;
  }
  const std::vector<Call>& calls() const { return calls_; }
  uint64_t dropped() const { return dropped_; }

 private:
  std::vector<Call> calls_;  // a nested call precedes the call that contains it
  uint64_t dropped_ = 0;
  bool last_kept_ = false;
};

// Used by one thread at a time; only activity() and mark_late() may be called from other threads.
class alignas(64) CallContext {
 public:
  CallContext();
  CallContext(const CallContext&) = delete;
  CallContext& operator=(const CallContext&) = delete;

  // The counters of a hook in this context. Requires id < kMostHooks. Read those of a context in
  // use only on its own thread.
  HookCounts& counts(HookId id) { return counts_[id]; }
  const HookCounts& counts(HookId id) const { return counts_[id]; }

  // While set, each call is timed with the steady clock. Meant for one decision in 256.
  void time_calls(bool yes) { timing_ = yes; }
  bool times_calls() const { return timing_; }
  // Also appends timed calls to `log`; null: does not. The log must outlive the context, or the
  // next call of log_calls().
  void log_calls(CallLog* log) { log_ = log; }
  // Records one timed call.
  void add_time(const CallLog::Call& call);
  // The answer of the hook's call that has just ended, for the log. Free where calls are not timed.
  void log_code(HookId hook, uint8_t code) {
    if (timing_ && log_ != nullptr) [[unlikely]]
      log_->set_code(hook, code);
  }

  // The sink that is passed to a plugin, and what the plugin wrote during the last call: text() is
  // all of it, text(i) is write i of texts(). Writes beyond kMostTexts are appended to the last.
  // Views are valid until the next call of a hook through this context, or clear_text().
  const berth_text_sink* sink() const { return &sink_; }
  const std::string& text() const { return text_; }
  // The same as an error's text: that the plugin gave none, if it wrote nothing.
  std::string_view error_text() const {
    return text_.empty() ? "it gave no text for its error" : std::string_view(text_);
  }
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

  // Marks the beginning and the end of a call; leave() takes the value that enter() returned. Calls
  // may nest: a hook may call the host, which calls other hooks.
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

  // True if the watchdog has marked the current call as late.
  bool late() const { return late_.load(std::memory_order_relaxed) == current_; }
  // Of the call that was marked last. Read it where late() was true.
  struct Lateness {
    std::chrono::steady_clock::time_point since;  // of the first look that saw the call
    std::chrono::milliseconds allowed;            // how long a call may take
  };
  Lateness lateness() const;

  // True if a watchdog reads activity().
  bool watched() const { return watchdogs_ != 0; }
  void watch(bool yes) { watchdogs_ += yes ? 1 : -1; }  // for watchdogs, which may overlap

  // For the watchdog, on any thread. If two reads return equal values with hook_of() != 0, the same
  // call was in progress at both times.
  uint64_t activity() const { return activity_.load(std::memory_order_relaxed); }
  const std::atomic<uint64_t>& activity_word() const { return activity_; }
  // Marks the call with this activity value as late. For the watchdog, on any thread.
  void mark_late(uint64_t activity, const Lateness& lateness);
  static HookId hook_of(uint64_t activity) { return activity & (kMostHooks - 1); }

 private:
  static constexpr uint32_t kHookBits = 12;
  static_assert(kMostHooks == 1u << kHookBits);
  // 52 bits of sequence numbers last 142 years at a million calls per second.

  static void write(void* context, berth_string text) noexcept;

  // Why relaxed order suffices. Only the owner writes, and a value is one word, so a reader sees
  // some value that was stored, never a mixture. A store becomes visible to the watchdog in finite
  // time, and coherence orders its reads: it never sees an older value after a newer one. If it
  // reads a value twice, N seconds apart, that call had begun before the first read and had not
  // ended, or only just, at the second: every call has a sequence number of its own, and its word
  // is stored again only when a call nested in it ends. The word publishes no other data: names
  // come from the HookTable, under its lock.
  std::atomic<uint64_t> activity_{0};
  // Only the watchdog writes it, one word. The owner compares it with the word of its current call,
  // which no other call ever has, so it cannot take another call for late. If the store becomes
  // visible after the call has ended, that call is not counted as late.
  std::atomic<uint64_t> late_{0};
  // Of that call: since when, in nanoseconds, and the milliseconds that it may take. For a message.
  std::atomic<int64_t> late_since_{0}, late_allowed_{0};
  uint64_t current_ = 0;  // the value of activity_
  uint64_t sequence_ = 0;
  bool timing_ = false;
  int watchdogs_ = 0;
  CallLog* log_ = nullptr;
  std::unique_ptr<HookCounts[]> counts_;
  berth_text_sink sink_;
  std::string text_;
  std::vector<uint32_t> text_ends_;  // of each write, in text_
};

}  // namespace berth::host
