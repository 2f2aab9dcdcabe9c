#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace berth::binding {

// One binding on its way to the server. Texts are valid for the call that takes it.
struct Binding {
  uint64_t number = 0;  // from 1, another for each binding; the answer names it
  std::string_view namespace_name, name, uid, node;
  bool by_extender = false;  // an extender has told the server already
};

// The server's answer to a binding.
struct BindAnswer {
  enum class Kind : uint8_t {
    kBound,
    kUnderWay,  // the answer comes later, through Door::answer; not if `by_extender`
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

  // Takes one binding, and does not wait for a server: a sink that has to answers kUnderWay, and
  // hands the answer to the owner of the core, who gives it to Door::answer after `bind` returned.
  // Each such binding is answered in the end, by kFailed if nothing is known of it. Called in the
  // order of the decisions, except that a pod for which a PreBind plugin waits comes when the wait
  // is over. Throws Error if it cannot be written.
  virtual BindAnswer bind(const Binding& binding) = 0;
  // Makes all bindings so far visible to readers of the output. Throws Error.
  virtual void flush() {}
};

}  // namespace berth::binding
