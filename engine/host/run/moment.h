#pragma once

// The clock and the random numbers of plugins follow from this (berth/abi/clock.h).

#include <cstdint>

#include "engine/base/draw.h"

namespace berth::host {

// Changed by the thread that owns the model, and only while no other thread runs a [rows] function.
struct Moment {
  uint64_t seed = 0;      // of the run; fixed
  int64_t now = 0;        // the run's clock, in nanoseconds since 1970
  uint64_t decision = 0;  // the identity of the attempt that is being decided; 0: none is

  // Equal for all evaluations of an attempt. `arrival`: the pod's arrival number.
  void begin_decision(uint64_t arrival, uint32_t attempt) {
    decision = draw(seed, arrival, attempt, Purpose::kPluginRandom);
  }
  void end_decision() { decision = 0; }
};

// The moment of calls that the thread makes while the object exists, in place of the run's: of the
// binding cycles, which run while the next pods are decided.
class MomentScope {
 public:
  // `moment` outlives the object.
  explicit MomentScope(const Moment& moment) : outer_(current_) { current_ = &moment; }
  ~MomentScope() { current_ = outer_; }
  MomentScope(const MomentScope&) = delete;
  MomentScope& operator=(const MomentScope&) = delete;

  static const Moment* current() { return current_; }  // null: that of the run

 private:
  static inline constinit thread_local const Moment* current_ = nullptr;

  const Moment* outer_;
};

}  // namespace berth::host
