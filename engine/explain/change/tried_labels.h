#pragma once

// Topology labels that a node gets in the model for a trial, and loses after it. Counts by domain
// follow the labels, which a row's overlay cannot show. Belongs to the thread that owns the model.

#include <map>
#include <span>
#include <vector>

#include "engine/model/cluster/cluster.h"

namespace berth::explain {

class TriedLabels {
 public:
  static constexpr size_t kMostValues = 64;  // of the keys of one list, that are proposed
  static constexpr size_t kMostFailures = 8;

  // The cluster outlives the object.
  explicit TriedLabels(model::Cluster& cluster) : cluster_(cluster) {}
  TriedLabels(const TriedLabels&) = delete;
  TriedLabels& operator=(const TriedLabels&) = delete;
  ~TriedLabels() { put_back(); }

  struct Proposal {
    model::Labels labels;
    // The pod's required node affinity reads one of the keys, so only a label that it accepts will
    // do.
    bool judged = false;
  };
  // Labels with which a filter that reads these columns may accept the row: of the topology keys
  // that it reads and the node lacks, each alone, then all together. Values are those that the
  // pod's node selector demands, or those of other nodes, and at last the node's name, a domain of
  // its own. Values that were kept come first, the others by their texts. None where proposals for
  // these keys failed kMostFailures times and none was kept.
  std::vector<Proposal> proposals(std::span<const model::ColumnId> inputs, model::Row row,
                                  const model::PodRecord& pod);
  // A trial of proposals for these labels' keys is over: they were kept, or all failed.
  void kept(const Proposal& proposal);
  void failed(const Proposal& last);

  void add(model::Row row, const model::Labels& labels);  // precondition: added() is empty
  void put_back();
  const model::Labels& added() const { return added_; }

 private:
  using Keys = std::vector<model::StringId>;
  struct Known {
    std::vector<model::Labels> values;  // of other nodes
    size_t failures = 0;
    bool kept = false;
  };

  Keys lacking(std::span<const model::ColumnId> inputs, model::Row row) const;
  Known& known(const Keys& keys);
  bool has_own_values(model::StringId key) const;
  void propose(const Keys& keys, model::Row row, const model::PodRecord& pod,
               std::vector<Proposal>& to);
  static Keys keys_of(const model::Labels& labels);

  model::Cluster& cluster_;
  std::map<Keys, Known> known_;
  model::Slot slot_ = 0;  // of the node with other labels
  model::Labels added_, former_;
};

}  // namespace berth::explain
