#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/properties/brute_force/brute_force_matching.h"

// Source of everything in this file: kube-scheduler v1.34.1, plugins/interpodaffinity.
namespace berth::tests::brute {

// A term of the pod to schedule or of a placed pod.
struct Term {
  std::set<std::string> namespaces;
  Selector selector;
  Selector namespace_selector;
  std::string key;
  int32_t weight = 0;

  // `namespace_labels` are the labels of the namespace of `pod`.
  bool matches(const model::Pod& pod, const model::StringMap& namespace_labels) const;
};

// A pod's terms. If a term of a list is malformed, that list is empty and `problem` is set.
struct Terms {
  std::vector<Term> affinity, anti_affinity, preferred_affinity, preferred_anti_affinity;
  std::string problem;
};

Terms terms_of(const model::Pod& pod);

// InterPodAffinity for one pod. The arguments of the constructor must outlive it.
class InterPodAffinity {
 public:
  InterPodAffinity(const Objects& objects, const AffinityArguments& arguments,
                   const model::Pod& pod);

  Status pre_filter() const { return pre_filter_; }
  Status filter(const model::Node& node, const std::vector<const model::Pod*>& nominated) const;
  Scores score(const std::vector<std::string>& feasible) const;

 private:
  using Topology = std::pair<std::string, std::string>;  // key, value
  using Counts = std::map<Topology, int64_t>;
  struct State {
    Counts existing_anti_affinity, affinity, anti_affinity;
  };

  void merge_namespaces(std::vector<Term>& terms) const;
  bool matches_all(const std::vector<Term>& terms, const model::Pod& pod) const;
  void count(State& state, const model::Node& node, const model::Pod& other) const;
  void weigh(Counts& scores, const model::Node& node, const model::Pod& other) const;

  const Objects& objects_;
  const AffinityArguments& arguments_;
  const model::Pod& pod_;
  std::vector<NodeInfo> nodes_;
  Terms own_;
  model::StringMap namespace_labels_;
  State state_;
  Status pre_filter_;
};

}  // namespace berth::tests::brute
