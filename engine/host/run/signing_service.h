#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "berth/abi/signing.h"

namespace berth::host {

// By which parts of a pod plugins decide, as they said (berth/abi/signing.h).
struct Signing {
  uint64_t parts = 0;                // BERTH_PART_ bits
  uint64_t without = 0;              // pods that have some of these cannot be compared
  std::vector<std::string> columns;  // of pods

  // By what this and another plugin decide.
  void add(const Signing& other) {
    parts |= other.parts;
    without |= other.without;
    columns.insert(columns.end(), other.columns.begin(), other.columns.end());
  }
};

const berth_signing_service& signing_service();

}  // namespace berth::host
