#pragma once

// Verifies decisions: one in so many is made again by the reference evaluation, which keeps
// nothing, and everything about the two is compared. A difference is a fault in what is kept, or a
// plugin that reads more than it declares.
//
// The second decision disturbs nothing: it has call contexts of its own, so that no call is counted
// or timed with those of the run; states of its own, which are dropped at once; the draws of the
// first one, since these are functions; and it changes neither the model nor the queue. A hook sees
// that it is called more often.
//
// A decision in which something took part that may answer differently the second time is not
// compared: a hook that declares BERTH_DEPENDS_EXTERNAL, or an extender.

#include <optional>
#include <vector>

#include "engine/framework/evaluation/reference.h"
#include "engine/framework/verification/difference.h"
#include "engine/framework/verification/pace.h"

namespace berth::framework {

// Belongs to the thread that owns the model.
class Verifier {
 public:
  struct Counts {
    uint64_t verified = 0;      // decisions that were made again and compared
    uint64_t not_compared = 0;  // their turn came, and something external took part
  };

  // `decide`: the options of the decisions to verify. `trials`: see PostFilterOptions. `every`: see
  // VerificationPace. All of it outlives the verifier.
  Verifier(model::Cluster& cluster, const DecideOptions& decide, host::Trials* trials,
           uint64_t every);

  // To be called once for each decision, when it was made and nothing came of it yet. Nothing: it
  // is not this one's turn, or there is no difference.
  std::optional<Difference> after(Profile& profile, const Request& request, const Decider& decider,
                                  const Decision& decision) {
    if (pace_.wants_estimate()) [[unlikely]]
      estimate(profile);
    if (!pace_.next()) [[likely]]
      return std::nullopt;
    return verify(profile, request, {decider, decision});
  }
  const Counts& counts() const { return counts_; }
  // The call contexts of verifications, for the watchdog. They rest between decisions.
  std::vector<host::CallContext*> calls();

 private:
  void estimate(const Profile& profile);
  std::optional<Difference> verify(Profile& profile, const Request& request, const Decided& mine);
  bool follows_inputs(const Decided& mine) const;
  uint64_t calls_made(Profile& profile);

  model::Cluster& cluster_;
  const DecideOptions options_;
  VerificationPace pace_;
  host::CallContext calls_;
  ReferenceEvaluator evaluator_;
  Decider decider_;
  Counts counts_;
};

}  // namespace berth::framework
