#pragma once

// Marks that a thread runs a function of a plugin that has the tag [bind] or [rows]
// (berth/abi/base.h).
//
// Such functions run beside the thread that owns the model, so services that read or change the
// model refuse them. They do so wherever the host runs the function: a plugin must not work or fail
// depending on the thread.

#include <cstdint>

#include "engine/base/assert.h"

namespace berth::host {

class TagScope {
 public:
  enum class Tag : uint8_t { kBind, kRows };

  explicit TagScope(Tag tag) : tag_(tag), outer_(current_) { current_ = this; }
  ~TagScope() {
    BERTH_ASSERT(current_ == this);
    current_ = outer_;
  }
  TagScope(const TagScope&) = delete;
  TagScope& operator=(const TagScope&) = delete;

  // True if this thread runs a [bind] function.
  static bool binds() { return current_ != nullptr && current_->tag_ == Tag::kBind; }
  // For functions of services that belong to the thread that owns the model. True if this thread
  // runs a [bind] or [rows] function: then the service does nothing, and the plugin's call fails.
  // `function`: "strings.intern"; a literal.
  static bool refuses(const char* function) {
    if (current_ == nullptr) return false;
    if (current_->refused_ == nullptr) current_->refused_ = function;
    return true;
  }
  // The first function that was refused; null: none.
  const char* refused() const { return refused_; }
  const char* tag() const { return tag_ == Tag::kBind ? "[bind]" : "[rows]"; }

 private:
  static inline constinit thread_local TagScope* current_ = nullptr;

  Tag tag_;
  TagScope* outer_;
  const char* refused_ = nullptr;
};

}  // namespace berth::host
