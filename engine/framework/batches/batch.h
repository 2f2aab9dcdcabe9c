#pragma once

// A batch: the nodes that a decision scored beside the one that it chose. If the next pod is equal
// to that decision's, and the chosen node refuses it now, the other nodes are as they were: the
// best of them is tried first, and nothing is searched or scored.
//
// Source: kube-scheduler v1.36.2 runtime/batch.go.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/time.h"
#include "engine/framework/decision/decision.h"
#include "engine/model/cluster/cluster.h"

namespace berth::framework {

// Nodes by total, in the order in which a heap gives them out (evaluation/scores/heap_winner.h), or
// ties by name. Retains the names.
class ScoredNodes {
 public:
  // The cluster outlives it. `ties`: kHeap or kName.
  ScoredNodes(model::Cluster& cluster, TieBreak ties) : cluster_(cluster), ties_(ties) {}
  ScoredNodes(const ScoredNodes&) = delete;
  ScoredNodes& operator=(const ScoredNodes&) = delete;
  ~ScoredNodes() { clear(); }

  void clear();
  // In the order of the search. Row `taken`, which is among them, was given out.
  void fill(std::span<const ScoredRow> rows, model::Row taken);
  bool empty() const { return nodes_.size() <= (taken_ == 0 ? 0 : 1); }
  // The name of the best one. Precondition of both: not empty.
  model::StringId top();
  void pop();

 private:
  struct Node {
    int64_t total;
    model::StringId name;
  };
  bool before(const Node& a, const Node& b) const;
  void settle();
  void build();
  void sink(size_t at, size_t count);
  void remove_top();

  model::Cluster& cluster_;
  const TieBreak ties_;
  std::vector<Node> nodes_;
  model::StringId taken_ = 0;  // not 0: the heap is not built yet, and this one leaves it first
};

// Of one profile. Belongs to the thread that owns the model.
class Batch {
 public:
  // A pod whose turn it is.
  struct Turn {
    std::optional<std::string> signature;  // nothing: the pod cannot be compared
    uint64_t cycle = 0;                    // counts the pods that left the queue
    Time now{};
  };

  // See ScoredNodes.
  Batch(model::Cluster& cluster, TieBreak ties) : cluster_(cluster), others_(cluster, ties) {}
  ~Batch() { set_chosen(0); }

  // kNone if the batch is of pods like this one, of the cycle before, and not too old. Then it is
  // for the decision to see whether chosen() refuses the pod; if so, next() is tried first.
  BatchMiss misses(const Turn& turn) const;
  bool serves(const Turn& turn) const { return misses(turn) == BatchMiss::kNone; }
  model::StringId chosen() const { return chosen_; }  // the name of the last pod's node
  model::StringId next() { return others_.top(); }

  // The scores of the last pod's decision do not hold any more.
  void forget() { others_.clear(); }

  // The pod was decided, and got a node. `hint`: the name of the node that was tried first, as
  // next() had it; 0: there was none. `scored`: the nodes of which it is the best, in the order of
  // the search; none if nothing was scored.
  void decided(Turn turn, model::Row row, model::StringId hint, std::span<const ScoredRow> scored);

 private:
  static constexpr Time kLongest = std::chrono::milliseconds(500);
  void set_chosen(model::StringId name);

  model::Cluster& cluster_;
  ScoredNodes others_;
  std::string signature_;
  Time made_at_{};
  uint64_t cycle_ = 0;
  model::StringId chosen_ = 0;  // retained
};

}  // namespace berth::framework
