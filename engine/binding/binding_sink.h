#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace berth::binding {

// The receiver's answer to a binding.
struct BindAnswer {
  enum class Kind : uint8_t {
    kBound,
    kFailed,    // nothing was bound
    kLost,      // bound, and the answer is an error
    kLostSeen,  // the same, and the pod's update came before the answer
  } kind = Kind::kBound;
  std::string message;  // of an error
};

// Receives bindings. `bind` is called on the thread that binds, which is another than that of the
// decisions if plugins need time; `flush` on the thread of the decisions, when no thread binds.
class BindingSink {
 public:
  virtual ~BindingSink() = default;

  // Takes one binding. Called in the order of the decisions, except that a pod for which a PreBind
  // plugin waits comes when the wait is over. The views are valid for the call. Throws Error if it
  // cannot be written.
  virtual BindAnswer bind(std::string_view namespace_name, std::string_view name,
                          std::string_view node) = 0;
  // Makes all bindings so far visible to readers of the output. Throws Error.
  virtual void flush() {}
};

}  // namespace berth::binding
