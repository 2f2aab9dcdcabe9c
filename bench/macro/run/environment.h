#pragma once

// The machine and the build, so that readers can explain different figures.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace berth::bench {

struct Environment {
  std::string cpu;            // model name
  unsigned cores = 0;         // cores that this process may use
  uint64_t memory_bytes = 0;  // of the machine
  std::string governor;       // of the first core; "unknown" if the kernel does not report it
  std::string kernel;
  std::string version, commit, compiler, flags, allocator;  // of this build
  // name to version
  std::map<std::string, std::string> libraries;
};

Environment environment();

// Measures how much CPU time others took since its construction.
class Neighbours {
 public:
  Neighbours();  // starts the measurement

  struct Shares {
    double steal = 0;      // share of the machine's time that the hypervisor gave to other machines
    double other_cpu = 0;  // share of the machine's time used by other processes
  };
  // Shares since construction.
  Shares so_far() const;

 private:
  struct Ticks {
    uint64_t all = 0, busy = 0, steal = 0;
    static Ticks now();
  };
  Ticks first_;
  double own_first_ = 0;
};

// The disturbances that make figures unreliable, in words; empty if there are none.
std::vector<std::string> disturbances(const Neighbours::Shares& shares);

}  // namespace berth::bench
