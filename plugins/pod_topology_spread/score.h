#pragma once

// PreScore and Score: nodes with fewer matching pods in their domains are better; a topology weighs
// more, the more of its domains are among the feasible nodes.

#include <map>
#include <memory>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/pod_topology_spread/constraints.h"
#include "plugins/pod_topology_spread/key_rows.h"

namespace berth::plugins {

// The weights of a pod's soft constraints, in order. Written by PreScore before scores are asked
// for, on the thread of all hooks except `score`.
struct SpreadWeights {
  std::vector<double> of;
  uint64_t version = 1;  // changes whenever a weight changes
  // Scratch memory of PreScore: the rows that have all labels, and when each domain was last seen.
  RowWords among;
  std::vector<uint64_t> seen;
  uint64_t now = 0;
};

// Weights by the content of the constraints, so that PreScore and Score of a pod share them. They
// live as long as the states of these hooks. Entries of weights that are gone are removed each time
// that the table has twice the entries it was left with.
class WeightsByTemplate {
 public:
  std::shared_ptr<SpreadWeights> of(const PodConstraints& constraints);
  size_t size() const { return all_.size(); }

 private:
  static constexpr size_t kFewest = 64;

  std::map<std::vector<int64_t>, std::weak_ptr<SpreadWeights>> all_;
  size_t clean_at_ = kFewest;
};

struct SoftDomains {
  struct Topology {
    bool hostname;  // each node is a domain of its own
    sdk::Slot<uint32_t> domains;
    sdk::Slot<uint32_t>
        labels;  // to treat nodes without the label and with an empty value as one domain
    sdk::Slot<uint8_t> has_label;
    std::shared_ptr<KeyRows> rows;
  };
  std::vector<Topology> all;
  bool needs_all_keys = true;  // nodes that lack a key are not scored
  std::shared_ptr<SpreadWeights> weights;
  // The version of the weights that this template's scores were computed with. Other templates may
  // have the same weights and another version here.
  std::unique_ptr<uint64_t> version = std::make_unique<uint64_t>(0);
};

class SpreadPreScore final : public sdk::PreScore<SoftDomains> {
 public:
  SpreadPreScore(const SpreadArgs& args, WeightsByTemplate& weights)
      : args_(args), weights_(weights), reader_(*this, args) {
    depends(BERTH_DEPENDS_FEASIBLE);
  }

  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, SoftDomains& state) override;
  void pre_score(const Call& call, const berth_feasible* feasible,
                 sdk::PreScoreResult& result) const override;

 private:
  int64_t count_domains(const Call& call, const SoftDomains::Topology& topology,
                        const berth_feasible& feasible, const RowWords* among) const;
  // With too many domains to have their rows as bits.
  int64_t look_at_rows(const Call& call, const SoftDomains::Topology& topology,
                       const berth_feasible& feasible, const RowWords* among) const;
  // The rows that have the labels of all topologies; null: all rows have.
  static const RowWords* rows_with_all_labels(const Call& call);

  const SpreadArgs& args_;
  WeightsByTemplate& weights_;
  RowsByKey rows_;
  ConstraintReader reader_;
  uint32_t empty_ = 0;  // string id
  sdk::Family domains_{*this, "node.domain:*"};
  sdk::Family labels_{*this, "node.label:*"};
  sdk::Family has_label_{*this, "node.has_label:*"};
};

struct SoftConstraints {
  struct Topology {
    sdk::Slot<uint8_t> has_label;
    sdk::Slot<int64_t> counts;  // per node, in its domain; by hostname, of the node itself
    double extra;               // maxSkew - 1
  };
  std::vector<Topology> all;
  bool needs_all_keys = true;
  std::shared_ptr<const SpreadWeights> weights;
};

class SpreadScore final : public sdk::Score<SoftConstraints> {
 public:
  SpreadScore(const SpreadArgs& args, WeightsByTemplate& weights)
      : Score(BERTH_NORMALISE_SPREAD), args_(args), weights_(weights), reader_(*this, args) {
    depends(BERTH_DEPENDS_FEASIBLE);
  }

  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               SoftConstraints& state) override;
  void score(const Call& call, std::span<int64_t> raw) const override;

 private:
  const SpreadArgs& args_;
  WeightsByTemplate& weights_;
  ConstraintReader reader_;
  sdk::Counts counts_;
  sdk::Family has_label_{*this, "node.has_label:*"};
  sdk::Family node_counts_{*this, "node.count:*"};
};

}  // namespace berth::plugins
