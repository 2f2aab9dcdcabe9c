#pragma once

// The soft half: the fewer matching pods in a node's domains, the better; a domain counts the more,
// the more of its kind there are among the feasible nodes.

#include <map>
#include <memory>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/pod_topology_spread/constraints.h"

namespace berth::plugins {

// The weights of a pod's soft constraints, in their order. PreScore writes them before scores are
// asked for, on the same thread as everything that is not `score`.
struct SpreadWeights {
  std::vector<double> of;
  uint64_t version = 1;  // another number whenever a weight changed
  // Memory of PreScore: where the nodes' labels stand, and when each domain was seen last.
  std::vector<const uint8_t*> has_label;
  std::vector<uint64_t> seen;
  uint64_t now = 0;
};

// Weights by what the constraints are, so that PreScore and Score of one pod find the same.
class WeightsByTemplate {
 public:
  std::shared_ptr<SpreadWeights> of(const PodConstraints& constraints);

 private:
  std::map<std::vector<int64_t>, std::shared_ptr<SpreadWeights>> all_;
};

struct SoftDomains {
  struct Topology {
    bool hostname;  // its domains are the nodes
    sdk::Slot<uint32_t> domains;
    sdk::Slot<uint32_t> labels;  // that nodes without it, and with an empty one, are one domain
  };
  std::vector<Topology> all;
  bool needs_all_keys = true;  // nodes without one of the keys are not scored
  std::vector<sdk::Slot<uint8_t>> has_label;
  std::shared_ptr<SpreadWeights> weights;
  // The version that this template's scores were made with. Others have the same weights.
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
  template <class Ignored>
  int64_t count_domains(const Call& call, const SoftDomains::Topology& topology,
                        const berth_feasible& feasible, const Ignored& ignored) const;

  const SpreadArgs& args_;
  WeightsByTemplate& weights_;
  ConstraintReader reader_;
  uint32_t empty_ = 0;  // string id
  sdk::Family domains_{*this, "node.domain:*"};
  sdk::Family labels_{*this, "node.label:*"};
  sdk::Family has_label_{*this, "node.has_label:*"};
};

struct SoftConstraints {
  struct Topology {
    sdk::Slot<uint8_t> has_label;
    sdk::Slot<int64_t> counts;  // of each node's domain; of itself where it is by hostname
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
