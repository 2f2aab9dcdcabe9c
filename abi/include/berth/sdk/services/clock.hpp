#pragma once

// The time of the run, and random numbers: for functions whose answers the host does not keep
// (berth/abi/clock.h). Since ABI 1.3.

#include <cstdint>

#include "berth/abi/clock.h"
#include "berth/sdk/host.hpp"

namespace berth::sdk {

class Clock : Service<berth_clock_service> {
 public:
  Clock() = default;
  explicit Clock(Host host) : Service(host, BERTH_CLOCK_SERVICE) {}

  // [cycle] [rows] [bind] Nanoseconds since 1970 by the clock of the run.
  int64_t now() const { return table_->now(host_); }
};

class Random : Service<berth_random_service> {
 public:
  Random() = default;
  explicit Random(Host host) : Service(host, BERTH_RANDOM_SERVICE) {}

  // [cycle] [rows] [bind] 64 random bits of the attempt. `stream`: what the number is for, such as
  // a value of node.name; not a position.
  uint64_t bits(uint64_t stream) const { return table_->bits(host_, stream); }
  // The same as a number below `bound`, which is not 0.
  uint64_t below(uint64_t bound, uint64_t stream) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<uint64_t>((Wide(bits(stream)) * bound) >> 64);
  }
};

}  // namespace berth::sdk
