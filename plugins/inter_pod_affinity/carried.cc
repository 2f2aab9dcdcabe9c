#include "plugins/inter_pod_affinity/carried.h"

namespace berth::plugins {

// A namespace that nobody described has no labels, as far as terms of placed pods go.
void Carried::init(sdk::Declaration& hook, const sdk::Counts& counts, std::string_view terms,
                   int64_t factor) {
  const uint32_t of = counts.carry(terms, factor, BERTH_COUNTS_UNKNOWN_NAMESPACES);
  set_.emplace(hook, sdk::concat("pod.carried:", of));
}

void add_sums(sdk::Preparation& prepared, const sdk::Counts& counts, const sdk::Strings& strings,
              uint32_t match_set, std::vector<DomainSum>& sums) {
  if (match_set == 0) return;
  for (size_t i = 0; i < counts.sums(match_set); ++i) {
    const std::string_view key = strings.text(counts.sum_key(match_set, i));
    sums.push_back({prepared.add<uint32_t>(sdk::concat("node.domain:", key)),
                    prepared.add<int64_t>(counts.sum(match_set, i))});
  }
}

}  // namespace berth::plugins
