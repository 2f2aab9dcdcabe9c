#pragma once

// Finds the changes of a node with which the filters that refuse a pod there would accept it, for
// `berth explain`. It knows no plugin: it reads the columns of a filter's calls, tries other values
// for the node's row on an overlay, and calls the filter. Pods that count for the node elsewhere,
// such as those of its zone, are taken off their nodes in the model meanwhile, and topology labels
// that the node lacks are added to it there.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/explain/change/pods_away.h"
#include "engine/explain/change/tried_labels.h"
#include "engine/explain/numbers/pods_behind.h"
#include "engine/framework/evaluation/rows/row_filter.h"

namespace berth::explain {

// A change of one value of a node; of node.count: more matching pods in its domain.
struct NodeChange {
  model::ColumnId column = 0;
  // The present and the needed value: a number, in the column's unit; 0 or 1 for flags; the string
  // id of a label's value, 0 for no label.
  int64_t from = 0;
  int64_t to = 0;
  // For allocatable amounts: freeing the difference on the node would suffice as well.
  bool or_freed = false;
  std::vector<model::Taint> taints;  // to remove
  std::vector<uint64_t> ports;       // to free, packed as in abi/columns.md
  // To remove, also from other nodes, the most important first; the column is node.pods then, and
  // the difference is their number.
  std::vector<model::PodId> pods;
};

class NodeChangeFinder {
 public:
  // May add lists of taints to the cluster's dictionary, and takes pods off their nodes during a
  // search; the nodes and pods stay as they are.
  NodeChangeFinder(model::Cluster& cluster, host::CallContext& calls)
      : cluster_(cluster),
        calls_(calls),
        filters_(cluster, calls),
        behind_(cluster),
        away_(cluster),
        labels_(cluster) {}

  // Changes with which every filter passes the row, with and without the pods that are nominated to
  // it. Each is minimal given the others. Where no value of the node helps, topology labels that it
  // lacks are added, with values that other filters accept as well where there are such. Else pods
  // of the node are removed, the least important ones; where that does not help, pods that count in
  // its domains. A search among these ends after kMostTrials trials of the finder, and leaves out
  // domains with more than kMostInTheWay pods. Nothing if no change was found; an empty list if the
  // row is feasible. Precondition: the context's filters are resolved.
  static constexpr size_t kMostInTheWay = 256;
  static constexpr size_t kMostTrials = 20'000;
  std::optional<std::vector<NodeChange>> smallest_change(const framework::DecisionContext& cycle,
                                                         model::Row row);

 private:
  // A column of the filter at hand in which the row's value could be another.
  struct Candidate {
    enum class Kind : uint8_t { kMore, kLess, kFlag, kTaints, kPorts, kLabel, kCount };
    Kind kind{};
    NodeChange change;
  };

  void begin_rows();
  // The first filter that no value of the node satisfies; nothing if all are satisfied.
  std::optional<size_t> solve_all();
  std::optional<std::vector<NodeChange>> search();
  bool find_labels(size_t filter);
  enum class With : uint8_t { kOtherFilters, kLabelsAlone, kMatchingPods };
  bool passes_with(const model::Labels& labels, size_t filter, With with);
  bool others_pass(size_t filter);
  bool find_removals(size_t filter);
  bool find_removals_elsewhere(size_t filter);
  std::vector<model::PodId> in_the_way(size_t filter);
  bool passes_without(size_t filter, const std::vector<model::PodId>& pods);
  bool passes_now(size_t filter);
  NodeChange removal();
  bool passes(size_t filter);
  bool solve(size_t filter);
  void find_candidates(size_t filter);
  void add_candidate(model::ColumnId column);
  int64_t number_at(model::ColumnId column, model::Row row);
  bool find_generous(size_t filter, uint32_t& step);
  void be_generous(const Candidate& candidate, uint32_t step);
  bool try_labels(size_t filter, uint32_t& step);
  bool try_counts(size_t filter, uint32_t& step);
  void minimise(size_t filter, uint32_t step, Candidate& candidate);
  void minimise_number(size_t filter, uint32_t step, Candidate& candidate);
  template <typename Item, typename Put>
  std::vector<Item> fewest(size_t filter, const std::vector<Item>& all, Put&& put);
  void look_at_freeing(size_t filter, Candidate& candidate);
  void set(model::ColumnId column, int64_t value);
  void set_taints(model::ColumnId column, const std::vector<model::Taint>& taints);
  void set_ports(model::ColumnId column, const std::vector<uint64_t>& ports);

  model::Cluster& cluster_;
  host::CallContext& calls_;
  framework::RowFilter filters_;
  // The current search.
  const framework::DecisionContext* cycle_ = nullptr;
  model::Row row_ = 0;
  // The row alone, and with the pods nominated to it if there are any.
  std::vector<std::unique_ptr<framework::ChangedRow>> rows_;
  // Of the row, the most important first; made when first needed.
  std::vector<framework::TrialPod> pods_;
  std::vector<bool> removed_;  // in step with pods_; pods that rows_ do not have
  PodsBehind behind_;          // of the cluster as it is without a search
  PodsAway away_;
  TriedLabels labels_;
  // Of a filter and the pods that count, which rows of one domain share: the fewest that have to
  // go; none: the filter refuses also without all of them.
  using InTheWay = std::pair<size_t, std::vector<model::PodId>>;
  std::map<InTheWay, std::vector<model::PodId>> known_;
  size_t trials_ = 0;  // in the model, of all searches
  std::vector<NodeChange> changes_;
  std::vector<Candidate> candidates_;
};

}  // namespace berth::explain
