#pragma once

// Which decisions are verified: a function of counts, never of a clock, so that equal input has
// the same decisions verified on every machine.
//
// Decisions are cut into stretches, and one decision of each stretch is verified. Its place is
// drawn, because work is often periodic: the first of each stretch would always be for the same
// kind of pod.

#include <cstdint>

namespace berth::framework {

class VerificationPace {
 public:
  // As often as costs about a hundredth of the time: the stretch that follows a verification is as
  // long as this one was expensive.
  static constexpr uint64_t kAsItPays = UINT64_MAX;

  // `every`: length of the stretches, 1 or more, or kAsItPays. `seed`: of the draws.
  VerificationPace(uint64_t every, uint64_t seed) : every_(every), seed_(seed) {}

  // True before the first decision with kAsItPays: call `took` with an estimate.
  bool wants_estimate() const { return every_ == kAsItPays && stretches_ == 0; }
  // To be called once for each decision. True if it is to be verified.
  bool next();
  // The number of calls of plugins that a verification took. Counts for the stretches that begin
  // later.
  void took(uint64_t calls) { calls_ = calls; }

 private:
  uint64_t length() const;

  uint64_t every_;
  uint64_t seed_;
  uint64_t calls_ = 0;
  uint64_t stretches_ = 0;
  uint64_t left_ = 0;   // decisions of this stretch
  uint64_t place_ = 0;  // of the one to verify: as many are left after it
};

}  // namespace berth::framework
