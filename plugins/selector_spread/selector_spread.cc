#include "plugins/selector_spread/selector_spread.h"

#include <algorithm>

#include "berth/sdk/points/feasible.hpp"

namespace berth::plugins {
namespace {

constexpr double kMost = 100;
constexpr double kZoneWeight = 2.0 / 3.0;

// Higher for fewer pods. Bit for bit kube-scheduler's result.
double emptiness(int64_t count, int64_t most) {
  if (most <= 0) return kMost;
  return kMost * (static_cast<double>(most - count) / static_cast<double>(most));
}

}  // namespace

std::shared_ptr<SpreadTotals> TotalsByTerm::of(uint32_t term) {
  std::shared_ptr<SpreadTotals>& known = all_[term];
  if (known == nullptr) known = std::make_shared<SpreadTotals>();
  return known;
}

void SiblingsReader::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                             Siblings& state) const {
  if (!pod.one(spread_keys_).empty()) return;
  const uint32_t siblings = pod.one(siblings_);
  state.totals = totals_.of(siblings);
  state.zones = prepared.add<uint32_t>("node.zone");
  state.counted = siblings != 0;
  if (!state.counted) return;
  const uint32_t query = counts_.query({.terms = {siblings}, .pods = BERTH_COUNTS_PLACED});
  state.counts = prepared.add<int64_t>(counts_.node_counts(query));
}

void SelectorPreScore::pre_score(const Call& call, const berth_feasible* feasible,
                                 sdk::PreScoreResult& result) const {
  const Siblings& state = call.state();
  if (state.totals == nullptr) return;
  SpreadTotals& totals = *state.totals;
  const uint32_t* zones = call[state.zones].data();
  const int64_t* counts = state.counted ? call[state.counts].data() : nullptr;
  int64_t most_on_a_node = 0;
  totals.by_zone.assign(call.raw().columns[state.zones.index].dictionary_size, 0);
  if (counts != nullptr)
    sdk::for_each_feasible(*feasible, [&](uint64_t row) {
      most_on_a_node = std::max(most_on_a_node, counts[row]);
      if (zones[row] != 0) totals.by_zone[zones[row]] += counts[row];
    });
  int64_t most_in_a_zone = 0;
  for (const int64_t pods : totals.by_zone) most_in_a_zone = std::max(most_in_a_zone, pods);
  bool same = most_on_a_node == totals.most_on_a_node;
  totals.most_on_a_node = most_on_a_node;
  totals.zone_part.resize(totals.by_zone.size());
  for (size_t zone = 0; zone < totals.by_zone.size(); ++zone) {
    const double part = kZoneWeight * emptiness(totals.by_zone[zone], most_in_a_zone);
    same = same && part == totals.zone_part[zone];
    totals.zone_part[zone] = part;
  }
  totals.version += !same;
  if (*state.version != totals.version) result.changed();
  *state.version = totals.version;
}

void SelectorScore::score(const Call& call, std::span<int64_t> raw) const {
  const Siblings& state = call.state();
  if (state.totals == nullptr) {
    std::fill(raw.begin(), raw.end(), 0);
    return;
  }
  if (!call.ran_pre_score())
    throw sdk::Failure("reading \"PreScoreSelectorSpread\" from cycleState: not found");
  const SpreadTotals& totals = *state.totals;
  const auto zones = call[state.zones];
  const int64_t* counts = state.counted ? call[state.counts].data() : nullptr;
  for (size_t i = 0; i < raw.size(); ++i) {
    // Nodes that are not feasible may have more pods than `most`; their scores must be in range,
    // too.
    const int64_t count = counts == nullptr ? 0 : std::min(counts[i], totals.most_on_a_node);
    double score = emptiness(count, totals.most_on_a_node);
    if (zones[i] != 0) score = score * (1.0 - kZoneWeight) + totals.zone_part[zones[i]];
    raw[i] = static_cast<int64_t>(score);
  }
}

}  // namespace berth::plugins
