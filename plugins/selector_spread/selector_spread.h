#pragma once

// Spreads the pods of a service or controller over nodes and, with twice the weight, over zones. A
// plugin of kube-scheduler up to v1.24; PodTopologySpread replaces it.
//
// A node's score depends on the busiest node and zone among the feasible ones. PreScore computes
// these sums; raw scores are final.

#include <map>
#include <memory>
#include <vector>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

// Sums over the feasible nodes. Written by PreScore before scores are asked for, on the thread of
// all hooks except `score`.
struct SpreadTotals {
  uint64_t version = 1;  // changes whenever a value that scores depend on changes
  int64_t most_on_a_node = 0;
  std::vector<double> zone_part;  // the zone's part of a score, by code of the zone
  std::vector<int64_t> by_zone;   // pods, scratch memory for summing
};

// Totals by the term of the pod's siblings, so that PreScore and Score of a pod share them.
class TotalsByTerm {
 public:
  std::shared_ptr<SpreadTotals> of(uint32_t term);

 private:
  std::map<uint32_t, std::shared_ptr<SpreadTotals>> all_;
};

// The state of both hooks: the columns and totals that they read.
struct Siblings {
  bool counted = false;                  // false: no service or controller selects the pod
  sdk::Slot<int64_t> counts;             // siblings on the node itself
  sdk::Slot<uint32_t> zones;             // node.zone; 0: the node has none
  std::shared_ptr<SpreadTotals> totals;  // null: the pod has constraints of its own
  // The version of the totals that this template's scores were computed with.
  std::unique_ptr<uint64_t> version = std::make_unique<uint64_t>(0);
};

// The counts of a pod's siblings; a member of both hooks.
class SiblingsReader {
 public:
  SiblingsReader(sdk::Declaration& hook, TotalsByTerm& totals)
      : totals_(totals),
        siblings_(hook, "pod.siblings"),
        spread_keys_(hook, "pod.spread_keys"),
        zones_(hook, "node.zone"),
        counts_family_(hook, "node.count:*") {}

  void init(sdk::Host host) { counts_ = sdk::Counts(host); }
  // [cycle] Asks for the columns. Pods with spread constraints of their own have no totals.
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, Siblings& state) const;

 private:
  TotalsByTerm& totals_;
  sdk::Counts counts_;
  sdk::Input<uint32_t> siblings_;
  sdk::ListInput<uint32_t> spread_keys_;
  sdk::Family zones_, counts_family_;
};

// Computes the totals over the feasible nodes, and bumps their version if a score can change.
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

// Raw scores are final, 0..100: a third by the node's siblings, two thirds by those of its zone.
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
