#pragma once

// Where figures were measured, so that somebody else can say why theirs differ.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace berth::bench {

struct Environment {
  std::string cpu;            // the model's name
  unsigned cores = 0;         // that this process may use
  uint64_t memory_bytes = 0;  // of the machine
  std::string governor;       // of the first core; "unknown" where the kernel does not say
  std::string kernel;
  std::string version, commit, compiler, flags, allocator;  // of this build
  std::map<std::string, std::string> libraries;
};

Environment environment();

// What others did with the machine between two moments.
class Neighbours {
 public:
  Neighbours();  // the first moment

  struct Shares {
    double steal = 0;      // of the machine's time, taken by other machines on the same host
    double other_cpu = 0;  // of the machine's time, by other processes of this machine
  };
  Shares so_far() const;

 private:
  struct Ticks {
    uint64_t all = 0, busy = 0, steal = 0;
    static Ticks now();
  };
  Ticks first_;
  double own_first_ = 0;
};

// In words what of it disturbs figures; empty: nothing.
std::vector<std::string> disturbances(const Neighbours::Shares& shares);

}  // namespace berth::bench
