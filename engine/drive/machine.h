#pragma once

// The questions of a run by the wall clock to the machine: the time, and whether input is there. A
// run is a function of its input and of these answers, so whoever keeps them can play the run
// again.

#include <cstdint>
#include <memory>

#include "engine/base/time.h"
#include "engine/drive/work_source.h"

namespace berth::drive {

// One thread, that of the core.
class Machine {
 public:
  virtual ~Machine() = default;
  // The answers that count, in the place of the measured ones. Times since the run began do not go
  // backwards.
  virtual Time time(Time measured) = 0;
  virtual bool ready(bool measured) = 0;
  // Nanoseconds since 1970, asked for once, when the run begins.
  virtual int64_t date(int64_t measured) = 0;
  // True: time was measured in another run, and nobody waits for it.
  virtual bool past() const = 0;
};

// The same source, which asks the machine if input is there. The machine outlives it.
std::unique_ptr<WorkSource> asking(std::unique_ptr<WorkSource> source, Machine& machine);

}  // namespace berth::drive
