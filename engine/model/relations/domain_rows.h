#pragma once

// Which rows are in each domain of a topology key: the other way round of a node.domain column.

#include <span>
#include <vector>

#include "engine/model/storage/column.h"
#include "engine/model/storage/domains.h"

namespace berth::model {

class DomainRows {
 public:
  // `domains` is a node.domain column and outlives this.
  explicit DomainRows(const Column& domains) : domains_(domains) {}

  // In ascending order; of a code that no row has none. Valid until a node changes.
  std::span<const uint32_t> of(DomainCode code);

 private:
  void sort();

  const Column& domains_;
  uint64_t generation_ = 0;  // of the column when rows were sorted
  std::vector<uint32_t> begins_;
  std::vector<uint32_t> rows_;
};

}  // namespace berth::model
