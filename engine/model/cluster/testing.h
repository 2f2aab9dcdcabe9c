#pragma once

// Containers and their requests, for the tests of the model.

#include "engine/model/objects/objects.h"

namespace berth::model {

inline constexpr int64_t kMi = int64_t{1} << 20;

// Amounts of cpu and memory; a negative one is left out.
inline ResourceList list(int64_t milli_cpu, int64_t mi) {
  ResourceList all;
  if (milli_cpu >= 0) all.emplace_back("cpu", Quantity::from_milli(milli_cpu));
  if (mi >= 0) all.emplace_back("memory", Quantity::from_units(mi * kMi));
  return all;
}

inline Container container(int64_t milli_cpu, int64_t mi, bool restart_always = false) {
  Container made;
  made.requests = list(milli_cpu, mi);
  made.restart_always = restart_always;
  return made;
}

}  // namespace berth::model
