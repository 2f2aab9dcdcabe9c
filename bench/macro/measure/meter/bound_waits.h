#pragma once

// The times from a pod's creation to its binding, by the clock of the load. One thread, that of the
// core.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/histogram.h"
#include "loadgen/play/play.h"

namespace berth::bench {

class BoundWaits {
 public:
  // `clock` outlives it.
  explicit BoundWaits(loadgen::WallClock& clock) : clock_(clock) {}

  // A batch of bindings begins and ends; in between, a pod of it with this creation time is bound.
  void begin() { created_.clear(); }
  void bound(int64_t created) { created_.push_back(created); }
  void end() {
    const int64_t time = clock_.now().count();
    for (const int64_t created : created_)
      waits_.record(static_cast<uint64_t>(std::max<int64_t>(time - created, 0)));
  }
  int64_t now() const { return clock_.now().count(); }
  size_t batch() const { return created_.size(); }  // pods of the last one

  const Histogram& nanoseconds() const { return waits_; }

 private:
  loadgen::WallClock& clock_;
  std::vector<int64_t> created_;  // of the batch; nanoseconds on the clock
  Histogram waits_;               // nanoseconds
};

}  // namespace berth::bench
