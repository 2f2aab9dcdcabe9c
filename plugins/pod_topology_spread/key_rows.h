#pragma once

// The nodes that have the label of a topology key, and those of each of its domains, as bits by
// row: with them, the domains among the feasible nodes are counted without a look at each node.

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "berth/abi/score.h"
#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

// A bit for each row, a word for each 64 of them.
using RowWords = std::vector<uint64_t>;

class KeyRows {
 public:
  // With more domains, bits for each of them cost more than they save.
  static constexpr uint32_t kMostDomains = 64;

  // Take over the columns node.has_label:KEY, and node.domain:KEY with node.label:KEY. A node whose
  // label is `empty`, or that has none, is in domain 0. Cost nothing if the generations of the
  // columns are those of the last call, and not 0.
  void read_labels(const berth_column& has_label);
  void read_domains(const berth_column& domains, const berth_column& labels, uint32_t empty);

  const RowWords& labelled() const { return labelled_; }
  bool all_labelled() const { return all_labelled_; }
  // False: there are more than kMostDomains.
  bool knows_domains() const { return !domains_.empty(); }
  // The number of domains that have a row which is feasible and in `among`; null: all rows are.
  // Precondition: knows_domains().
  int64_t count_domains(const berth_feasible& feasible, const RowWords* among) const;

 private:
  uint64_t labels_read_ = 0, domains_read_ = 0;  // generations
  RowWords labelled_;
  bool all_labelled_ = false;
  std::vector<RowWords> domains_;  // by code
};

// The number of feasible rows that are in `among`; null: all rows are.
int64_t count_rows(const berth_feasible& feasible, const RowWords* among);

// The rows of each key, shared by all pods that use it. They live as long as the states that hold
// them.
class RowsByKey {
 public:
  std::shared_ptr<KeyRows> of(uint32_t key);

 private:
  std::map<uint32_t, std::weak_ptr<KeyRows>> all_;
};

}  // namespace berth::plugins
