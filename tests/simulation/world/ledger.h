#pragma once

// What Chaos has to know of pods after what it was told: those that it reserved, and those that are
// bound (berth/abi/observe.h).

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "engine/runtime/core.h"
#include "tests/simulation/world/faults.h"

namespace berth::simulation {

class Ledger {
 public:
  void take(Told what, uint64_t pod, std::string_view node);
  // The first call that may not follow those before, or the first pod of which the core says
  // something else; empty: nothing is wrong.
  std::string difference(const runtime::Core& core) const;

 private:
  struct Entry {
    bool bound = false;
    std::string node;
    bool operator==(const Entry&) const = default;
  };
  using Entries = std::map<uint64_t, Entry>;

  static Entries expected(const runtime::Core& core);

  Entries entries_;  // by pod.handle
  std::string fault_;
};

}  // namespace berth::simulation
