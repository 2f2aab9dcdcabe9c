#pragma once

// Marks that a thread runs a [bind] function of a plugin (berth/abi/base.h).
//
// [bind] functions run beside the thread that owns the model, so services that read or change the
// model refuse them. They do so wherever the host runs the function: a plugin must not work or fail
// depending on the thread.

namespace berth::host {

class BindScope {
 public:
  BindScope() : outer_(current_) { current_ = this; }
  ~BindScope() { current_ = outer_; }
  BindScope(const BindScope&) = delete;
  BindScope& operator=(const BindScope&) = delete;

  // True if this thread runs a [bind] function.
  static bool active() { return current_ != nullptr; }
  // For functions of services that belong to the thread that owns the model. True if this thread
  // runs a [bind] function: then the service does nothing, and the plugin's call fails. `function`:
  // "strings.intern"; a literal.
  static bool refuses(const char* function) {
    if (current_ == nullptr) return false;
    if (current_->refused_ == nullptr) current_->refused_ = function;
    return true;
  }
  // The first function that was refused; null: none.
  const char* refused() const { return refused_; }

 private:
  static inline thread_local BindScope* current_ = nullptr;

  BindScope* outer_;
  const char* refused_ = nullptr;
};

}  // namespace berth::host
