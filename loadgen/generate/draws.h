#pragma once

// What the load generator draws, each apart from all others: a draw is a function of the seed, what
// it is for, which list of the workload it is for, and a number.

#include <cstdint>

#include "engine/base/draw.h"

namespace berth::loadgen {

enum class For : uint32_t {
  kShape,
  kImage,
  kUnschedulable,
  kRequest,
  kTemplate,
  kVariant,
  kNamespace,
  kLifetime,
  kGap,    // between two arrivals
  kThin,   // whether an arrival of a daily curve counts
  kBurst,  // how large
  kJobPods,
  kPlaced,
  kReplicas,
  kScaleGap,
  kScaleTo,
  kChurnGap,
  kChurnNode,
  kChurnLasting,
  kChurnValue,
  kHash,  // of a Deployment's template
};

// `of`: which owner, arrival or image; below 2^26.
inline uint64_t drawn(uint64_t seed, For what, uint32_t of, uint64_t number) {
  return draw(seed, number, of << 6 | static_cast<uint32_t>(what), Purpose::kLoad);
}

}  // namespace berth::loadgen
