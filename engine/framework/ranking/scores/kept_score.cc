#include "engine/framework/ranking/scores/kept_score.h"

namespace berth::framework {

KeptScore::KeptScore(size_t at, const ScoreCalls& of, bool is_zero)
    : index(at), calls(of), zero(is_zero), odd(kind() == BERTH_NORMALISE_OWN) {
  const HookAt<host::Score>& hook = calls.hook();
  const uint32_t depends = hook.point->depends();
  external = depends == BERTH_DEPENDS_EXTERNAL ||
             (depends == BERTH_DEPENDS_FEASIBLE && hook.before == kNoHook);
  if (zero) {
    all = {.minimum = 0, .maximum = 0};
  } else {
    inputs = hook.bound.inputs_of_row(calls.state());
  }
}

FinalScores KeptScore::finals(const Extremes& of) const {
  const bool uniform = of.minimum == of.maximum;
  FinalScores found{.of = of, .is_same = zero || (normalises() && uniform)};
  const int64_t raw_of_all = zero ? 0 : of.minimum;
  if (found.is_same) found.same = normalised(kind(), raw_of_all, raw_of_all, raw_of_all);
  found.fits = zero || !normalises() || calls.hook().point->extremes_fit(of.minimum, of.maximum);
  return found;
}

}  // namespace berth::framework
