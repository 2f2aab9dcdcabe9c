#include "plugins/inter_pod_affinity/carried.h"

namespace berth::plugins {

// For the terms of placed pods, a namespace without an object has no labels.
void Carried::init(sdk::Declaration& hook, const sdk::Counts& counts, std::string_view terms,
                   int64_t factor) {
  const uint32_t of = counts.carry(terms, factor, BERTH_COUNTS_UNKNOWN_NAMESPACES);
  set_.emplace(hook, sdk::concat("pod.carried:", of));
}

}  // namespace berth::plugins
