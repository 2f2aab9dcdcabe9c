#include "engine/host/calls/call_context.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/host/instance/text.h"

namespace berth::host {

namespace {

// Bounds the text that one call may write, so that a plugin cannot exhaust memory.
constexpr size_t kMostText = 64 * 1024;
constexpr size_t kMostTexts = 1024;  // that are told apart

}  // namespace

HookId HookTable::add(std::string_view plugin, std::string_view hook, std::string_view file) {
  const MutexLock lock(mutex_);
  BERTH_ASSERT(names_.size() + 1 < kMostHooks);
  names_.push_back({std::string(plugin), std::string(hook), std::string(file)});
  return static_cast<HookId>(names_.size());
}

HookTable::Name HookTable::name(HookId id) const {
  const MutexLock lock(mutex_);
  BERTH_ASSERT(id >= 1 && id <= names_.size());
  return names_[id - 1];
}

HookId HookTable::size() const {
  const MutexLock lock(mutex_);
  return static_cast<HookId>(names_.size());
}

HookCounts& HookCounts::operator+=(const HookCounts& other) {
  calls += other.calls;
  errors += other.errors;
  broken += other.broken;
  timed_calls += other.timed_calls;
  timed_nanoseconds += other.timed_nanoseconds;
  return *this;
}

CallContext::CallContext()
    : counts_(std::make_unique<HookCounts[]>(kMostHooks)), sink_{sizeof sink_, 0, this, write} {}

void CallContext::add_time(const CallLog::Call& call) {
  HookCounts& counts = counts_[call.hook];
  ++counts.timed_calls;
  counts.timed_nanoseconds += static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(call.end - call.begin).count());
  if (log_ != nullptr) log_->add(call);
}

// The mark was read in relaxed order: with this look at it, what was stored before is visible.
CallContext::Lateness CallContext::lateness() const {
  static_cast<void>(late_.load(std::memory_order_acquire));
  return {std::chrono::steady_clock::time_point(
              std::chrono::nanoseconds(late_since_.load(std::memory_order_relaxed))),
          std::chrono::milliseconds(late_allowed_.load(std::memory_order_relaxed))};
}

void CallContext::mark_late(uint64_t activity, const Lateness& lateness) {
  late_since_.store(std::chrono::nanoseconds(lateness.since.time_since_epoch()).count(),
                    std::memory_order_relaxed);
  late_allowed_.store(lateness.allowed.count(), std::memory_order_relaxed);
  late_.store(activity, std::memory_order_release);
}

void CallContext::write(void* context, berth_string text) noexcept {
  auto& self = *static_cast<CallContext*>(context);
  std::string& out = self.text_;
  if (out.size() < kMostText) out.append(view(text).substr(0, kMostText - out.size()));
  if (self.text_ends_.size() == kMostTexts) self.text_ends_.pop_back();
  self.text_ends_.push_back(static_cast<uint32_t>(out.size()));
}

}  // namespace berth::host
