#pragma once

// Pods of one service or controller are spread over nodes, and twice as much over zones. A plugin
// of kube-scheduler up to v1.24; PodTopologySpread has taken its place.
//
// A node's score depends on the busiest node and zone among the feasible ones, so PreScore sums
// those up, and scores are final as they are.

#include <map>
#include <memory>
#include <vector>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

// What the feasible nodes have in common. PreScore writes it before scores are asked for, on the
// same thread as everything that is not `score`.
struct SpreadTotals {
  uint64_t version = 1;  // another number whenever what scores follow from changed
  int64_t most_on_a_node = 0;
  std::vector<double> zone_part;  // of a score, by code of the zone
  std::vector<int64_t> by_zone;   // pods, while they are summed up
};

// Totals by the term of the pod's siblings, so that PreScore and Score of one pod find the same.
class TotalsByTerm {
 public:
  std::shared_ptr<SpreadTotals> of(uint32_t term);

 private:
  std::map<uint32_t, std::shared_ptr<SpreadTotals>> all_;
};

struct Siblings {
  bool counted = false;  // else nothing puts other pods together with this one
  sdk::Slot<int64_t> counts;
  sdk::Slot<uint32_t> zones;
  std::shared_ptr<SpreadTotals> totals;  // null: the pod has constraints of its own
  // The version that this template's scores were made with.
  std::unique_ptr<uint64_t> version = std::make_unique<uint64_t>(0);
};

// Where a pod's siblings are, as both hooks need it; a member of each.
class SiblingsReader {
 public:
  SiblingsReader(sdk::Declaration& hook, TotalsByTerm& totals)
      : totals_(totals),
        siblings_(hook, "pod.siblings"),
        spread_keys_(hook, "pod.spread_keys"),
        zones_(hook, "node.zone"),
        counts_family_(hook, "node.count:*") {}

  void init(sdk::Host host) { counts_ = sdk::Counts(host); }
  // [cycle]
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, Siblings& state) const;

 private:
  TotalsByTerm& totals_;
  sdk::Counts counts_;
  sdk::Input<uint32_t> siblings_;
  sdk::ListInput<uint32_t> spread_keys_;
  sdk::Family zones_, counts_family_;
};

class SelectorPreScore final : public sdk::PreScore<Siblings> {
 public:
  explicit SelectorPreScore(TotalsByTerm& totals) : reader_(*this, totals) {
    depends(BERTH_DEPENDS_FEASIBLE);
  }

  void init(sdk::Host host) override { reader_.init(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, Siblings& state) override {
    reader_.prepare(pod, prepared, state);
  }
  void pre_score(const Call& call, const berth_feasible* feasible,
                 sdk::PreScoreResult& result) const override;

 private:
  SiblingsReader reader_;
};

class SelectorScore final : public sdk::Score<Siblings> {
 public:
  explicit SelectorScore(TotalsByTerm& totals)
      : Score(BERTH_NORMALISE_NONE), reader_(*this, totals) {
    depends(BERTH_DEPENDS_FEASIBLE);
  }

  void init(sdk::Host host) override { reader_.init(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, Siblings& state) override {
    reader_.prepare(pod, prepared, state);
    if (state.totals == nullptr) prepared.passes();
  }
  void score(const Call& call, std::span<int64_t> raw) const override;

 private:
  SiblingsReader reader_;
};

class SelectorSpread final : public sdk::Plugin {
 public:
  SelectorSpread() { add(pre_score_, score_); }

 private:
  TotalsByTerm totals_;
  SelectorPreScore pre_score_{totals_};
  SelectorScore score_{totals_};
};

}  // namespace berth::plugins
