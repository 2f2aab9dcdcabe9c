#pragma once

// Watches decisions while they are made, for logs and for details that are gone when a decision is
// carried out. Without a watch a decision costs one test of a pointer more; the decision itself is
// the same.

#include "engine/framework/decision/decision.h"

namespace berth::framework {

class Decider;

// The calls about one attempt come in this order, on the thread that decides. The steps are those
// that kube-scheduler's trace of a cycle names (schedule_one.go schedulePod); a step that an error
// or an earlier end of the decision skips is not called. A watch overrides what it looks at.
class DecisionWatch {
 public:
  virtual ~DecisionWatch() = default;

  // Called by the owner of the decider. The pod may be skipped: then no other call follows.
  virtual void begins(const model::PodRecord& /*pod*/) {}
  // The rows are in search order. Called by the owner of the decider.
  virtual void ordered() {}
  // The feasible rows are known.
  virtual void searched() {}
  // They were scored, and the best is picked.
  virtual void ranked() {}
  // The node is chosen, or there is none; PostFilter follows. Details of the decision may be asked
  // for during the call, see decide.h.
  virtual void decided(const Decider& /*decider*/, const Decision& /*decision*/) {}
  // PostFilter is over as well, and nothing came of the decision yet: the decider may be asked for
  // details, and another one may decide about the request. Called by the owner of the decider.
  virtual void made(Decider& /*decider*/, const Request& /*request*/,
                    const Decision& /*decision*/) {}
};

}  // namespace berth::framework
