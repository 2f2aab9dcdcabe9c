#pragma once

// Random draws of the load generator. A draw is a pure function of the seed, its purpose, the index
// of the owner, arrival or image it is for, and a running number. No draw depends on how many other
// draws happened.

#include <cstdint>

#include "engine/base/draw.h"

namespace berth::loadgen {

// The purposes of draws. Values are part of the seed's meaning: append new ones, do not reorder.
enum class For : uint32_t {
  kShape,          // of a node
  kImage,          // whether a node has an image
  kUnschedulable,  // whether a node is cordoned
  kRequest,        // amounts of a template's variant
  kTemplate,
  kVariant,
  kNamespace,
  kLifetime,
  kGap,           // between two arrivals
  kThin,          // whether a candidate of a daily curve is accepted
  kBurst,         // size of a burst
  kJobPods,       // number of pods of a Job
  kPlaced,        // pods that run from the start
  kReplicas,      // initial number of an owner
  kScaleGap,      // time between two changes of replicas
  kScaleTo,       // new number of replicas
  kChurnGap,      // time between two changes of an entry of `churn`
  kChurnNode,     // the node that changes
  kChurnLasting,  // time until it is undone
  kChurnValue,    // the new label value
  kHash,          // pod-template-hash of a Deployment
  kClaims,        // whether a pod has claims
  kClaimKind,
  kClaimSize,
  kVolumePlace,  // the zone or node that a volume reaches
  kUsage,        // memory that a pod uses at first
  kUsageGrowth,
  kUsageCpu,
  kSystem,  // memory of a node that runs beside pods
  kRun,     // time for which the containers of a template's variant run
  kRunFails,
};

// 64 random bits. Requires: of < 2^26. `number` distinguishes draws of the same purpose.
inline uint64_t drawn(uint64_t seed, For what, uint32_t of, uint64_t number) {
  return draw(seed, number, of << 6 | static_cast<uint32_t>(what), Purpose::kLoad);
}

}  // namespace berth::loadgen
