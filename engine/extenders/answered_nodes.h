#pragma once

// The node objects with which extenders answered during one decision. kube-scheduler goes on with
// these in place of its own: extenders that come later get them, and a node that it does not know
// can be scored and bound like others.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/extenders/answers.h"
#include "engine/model/cluster/cluster.h"

namespace berth::extenders {

// The row of a node that exists; kNoRow: none of this name does.
model::Row row_of(const model::Cluster& cluster, std::string_view name);

// Belongs to the thread that owns the model. Others may read while it is not modified.
class AnsweredNodes {
 public:
  // The cluster outlives it.
  explicit AnsweredNodes(model::Cluster& cluster) : cluster_(cluster) {}

  // To be called before the extenders are asked which rows pass.
  void begin() { json_.clear(); }
  // Takes an answered node and returns its row. An unknown node is put into the cluster: its row is
  // behind all others. Throws Error for an object that is no node.
  model::Row take(AnsweredNode node);
  // To be called with the rows that pass. Takes unknown nodes from the cluster, and their rows, if
  // none of them passes.
  void settle(const std::vector<model::Row>& passed);
  // The decision is over. Takes the unknown nodes from the cluster; rows stay as they are until it
  // orders them.
  void end();

  // The answered object; null: none was answered.
  const std::string* json(model::Row row) const {
    const auto known = json_.find(row);
    return known == json_.end() ? nullptr : &known->second;
  }

 private:
  void withdraw();

  model::Cluster& cluster_;
  std::unordered_map<model::Row, std::string> json_;
  std::vector<std::string> unknown_;  // names of nodes that were put
};

}  // namespace berth::extenders
