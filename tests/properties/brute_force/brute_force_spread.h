#pragma once

#include <string>
#include <vector>

#include "tests/properties/brute_force/brute_force_matching.h"

namespace berth::tests::brute {

struct SpreadConstraint {
  int32_t max_skew = 0;
  std::string key;
  Selector selector;
  int32_t min_domains = 1;
  bool honours_affinity = true;
  bool honours_taints = false;
};

// PodTopologySpread for one pod. The arguments of the constructor must outlive it.
class Spread {
 public:
  Spread(const Objects& objects, const SpreadArguments& arguments, const model::Pod& pod);

  Status pre_filter() const { return pre_filter_; }
  Status filter(const model::Node& node, const std::vector<const model::Pod*>& nominated) const;
  Scores score(const std::vector<std::string>& feasible) const;

 private:
  using Domains = std::map<std::string, int64_t>;  // number of pods by topology value

  std::vector<SpreadConstraint> constraints(const char* action, std::string& problem) const;
  std::vector<SpreadConstraint> own(const char* action, std::string& problem) const;
  std::vector<SpreadConstraint> defaults(const char* action) const;
  Selector default_selector() const;
  bool counts_on(const SpreadConstraint& constraint, const model::Node& node) const;
  int64_t count(const NodeInfo& info, const Selector& selector) const;
  // For filtering: pods per domain, for each constraint. placed_domains counts placed pods, add()
  // adds one.
  std::vector<Domains> placed_domains() const;
  void add(std::vector<Domains>& all, const model::Node& node, const model::Pod& pod) const;
  // For scoring: the same for the domains of the scored nodes.
  std::vector<Domains> scored_domains(const std::vector<SpreadConstraint>& soft,
                                      const std::vector<const model::Node*>& scored,
                                      bool all_keys) const;
  std::map<std::string, int64_t> normalised(const std::map<std::string, int64_t>& raw,
                                            const std::vector<const model::Node*>& scored) const;

  const Objects& objects_;
  const SpreadArguments& arguments_;
  const model::Pod& pod_;
  std::vector<NodeInfo> nodes_;
  std::vector<SpreadConstraint> hard_;
  std::vector<Domains> domains_;
  Status pre_filter_;
};

}  // namespace berth::tests::brute
