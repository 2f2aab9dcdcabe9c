#pragma once

// Each thread notes the plugin function that it calls. The message of a fault that ends the process
// (a crash, a call of exit, a function that does not return) names that function.
//
// A scope costs a few stores to memory of the thread. Nothing here takes a lock or allocates, so
// the handler of a signal may read it.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace berth::host {

// The host keeps some answers of functions and uses them again later (run/kept.h): kAnswers of
// rows, kStates of a prepare, kKeys of an order. kNoHook: the function is none of a hook.
enum class Keeps : uint8_t { kNoHook, kNothing, kAnswers, kStates, kKeys };

// A function of a plugin. The texts outlive every use; they may hold anything.
struct PluginFunction {
  std::string_view plugin;    // its name
  std::string_view function;  // such as "Filter"
  std::string_view file;      // its path; empty: unknown
  Keeps keeps = Keeps::kNoHook;
};

// The calling thread runs this function while the object exists. Scopes nest: a plugin may call the
// host, which calls plugins.
class InPlugin {
 public:
  // `function` outlives the object.
  explicit InPlugin(const PluginFunction& function) : outer_(current_) { current_ = &function; }
  ~InPlugin() { last_ = std::exchange(current_, outer_); }
  InPlugin(const InPlugin&) = delete;
  InPlugin& operator=(const InPlugin&) = delete;

  // Of the calling thread; null: none.
  static const PluginFunction* current() { return current_; }
  // The one that returned last on the calling thread, for the line about a crash that follows;
  // null: none, or it was forgotten.
  static const PluginFunction* last() { return last_; }
  // To be called before the functions that were called on this thread cease to exist.
  static void forget_last() { last_ = nullptr; }

 private:
  static inline constinit thread_local const PluginFunction* current_ = nullptr;
  static inline constinit thread_local const PluginFunction* last_ = nullptr;

  const PluginFunction* outer_;
};

// The pod, or the first of several, that calls are about while the object exists: those of the
// calling thread, and, of a decision, those of the threads that help it.
class AboutPod {
 public:
  enum class Of : uint8_t { kThread, kDecision };

  // The texts outlive the object. kDecision: on one thread at a time.
  AboutPod(std::string_view namespace_name, std::string_view name, Of of, size_t others = 0)
      : namespace_name_(namespace_name), name_(name), of_(of), others_(others), outer_(current_) {
    current_ = this;
    if (of_ == Of::kDecision) decided_.store(this, std::memory_order_release);
  }
  ~AboutPod() {
    current_ = outer_;
    if (of_ == Of::kDecision) decided_.store(nullptr, std::memory_order_release);
  }
  AboutPod(const AboutPod&) = delete;
  AboutPod& operator=(const AboutPod&) = delete;

  // Null: none is known.
  static const AboutPod* current() {
    return current_ != nullptr ? current_ : decided_.load(std::memory_order_acquire);
  }
  std::string_view namespace_name() const { return namespace_name_; }
  std::string_view name() const { return name_; }
  size_t others() const { return others_; }  // pods besides this one

 private:
  static inline constinit thread_local const AboutPod* current_ = nullptr;
  static inline constinit std::atomic<const AboutPod*> decided_ = nullptr;

  std::string_view namespace_name_, name_;
  Of of_;
  size_t others_;
  const AboutPod* outer_;
};

}  // namespace berth::host
