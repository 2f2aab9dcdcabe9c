#pragma once

#include <string_view>

namespace berth::binding {

// Receives bindings. Called on the thread that binds.
class BindingSink {
 public:
  virtual ~BindingSink() = default;

  // Takes one binding. Called in the order of the decisions. The views are valid for the call.
  // Throws Error if it cannot be written.
  virtual void bind(std::string_view namespace_name, std::string_view name,
                    std::string_view node) = 0;
  // Makes all bindings so far visible to readers of the output. Throws Error.
  virtual void flush() {}
};

}  // namespace berth::binding
