#pragma once

#include <string_view>

namespace berth::binding {

// Receives bindings. On the thread that binds.
class BindingSink {
 public:
  virtual ~BindingSink() = default;

  // One binding, in the order of the decisions. Throws Error if it cannot be written.
  virtual void bind(std::string_view namespace_name, std::string_view name,
                    std::string_view node) = 0;
  // Makes everything visible that was bound so far. Throws Error.
  virtual void flush() {}
};

}  // namespace berth::binding
