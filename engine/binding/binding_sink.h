#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/model/pods/pod_id.h"

namespace berth::binding {

// One binding on its way to the server. Texts are valid for the call that takes it.
struct Binding {
  uint64_t number = 0;  // counts binding cycles from 1; the answer to this one names it
  std::string_view namespace_name, name, uid, node;
  bool by_extender = false;  // an extender has told the server already
};

// The server's answer to a binding.
struct BindAnswer {
  enum class Kind : uint8_t {
    kBound,
    kUnderWay,  // the answer comes later, through Core::answer
    kFailed,    // nothing was bound
    kConflict,  // the same: the pod is bound already, or is another. Nothing is written about it
    kLost,      // bound, and the answer is an error
    kLostSeen,  // the same, and the pod's update came before the answer
  } kind = Kind::kBound;
  std::string message{};  // of an error
};

// Takes bindings. `bind` is called on the thread that binds, which is another than that of the
// decisions if plugins need time; `flush` on the thread of the decisions, when no thread binds.
class BindingSink {
 public:
  virtual ~BindingSink() = default;

  // Takes one binding, and does not wait for a server. Called in the order of the decisions, except
  // that a pod for which a PreBind plugin waits comes when the wait is over. Throws Error if it
  // cannot be written.
  virtual BindAnswer bind(const Binding& binding) = 0;
  // Makes all bindings so far visible to readers of the output. Throws Error.
  virtual void flush() {}
};

}  // namespace berth::binding
