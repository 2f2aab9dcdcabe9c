#pragma once

// The best total of the open rows of each class, for each block of 64 rows and each 64 blocks, kept
// from one decision to the next.
//
// A row whose total changes is taken out of the best ones of its block, or becomes one of them,
// without a look at the other rows: mostly a pod was placed on one of several best nodes.

#include <vector>

#include "engine/framework/evaluation/rows/search_result.h"
#include "engine/framework/ranking/rows/class_rows.h"

namespace berth::framework {

class BestTotals {
 public:
  void resize(size_t blocks);
  // Every block may differ.
  void forget() { stands_ = false; }
  // The total of an open row changed from one number to the other. Costs a look at the row's block
  // only if no best row is left there. No effect if its block is looked at by follow() anyway.
  void change(model::Row row, RowClass of, int64_t before, int64_t after);
  // Looks at these blocks again, or at all after forget(). `of_rows`: null if there is one class.
  void follow(const KeptTotal* total, const RowClass* of_rows, uint32_t classes,
              const RowBits& open, const std::vector<uint32_t>& blocks);
  // Finds the best of other totals in blocks [first, last): `best` is as blocks(). `of_rows` and
  // `open` as for the last follow().
  void find(const KeptTotal* total, const RowClass* of_rows, const RowBits& open, uint32_t first,
            uint32_t last, BlockBest* best) const;

  // See SearchResult::Ranked.
  uint32_t stride() const { return stride_; }
  const BlockBest* blocks() const { return blocks_.data(); }
  const BlockBest* groups() const { return groups_.data(); }
  const uint64_t* present() const { return present_.data(); }
  size_t group_count() const { return changed_.size(); }
  size_t bytes() const {
    return (blocks_.capacity() + groups_.capacity()) * sizeof(BlockBest) +
           present_.capacity() * sizeof(uint64_t);
  }

 private:
  void find_all(const KeptTotal* total, const RowClass* of_rows, const RowBits& open);
  void best_of_block(uint32_t block, const KeptTotal* total, const RowClass* of_rows, uint64_t open,
                     BlockBest* best) const;
  void follow_block(uint32_t block, const KeptTotal* total, const RowClass* of_rows, uint64_t open);
  void follow_group(uint32_t group, uint64_t classes);
  void replace(uint32_t block, RowClass of, const BlockBest& now);

  bool stands_ = false;  // right for all blocks that follow() is not asked to look at
  uint32_t classes_ = 1;
  uint32_t stride_ = 1;
  size_t count_ = 0;  // of blocks
  std::vector<BlockBest> blocks_;
  std::vector<BlockBest> groups_;
  std::vector<uint64_t> present_;  // by block: classes that have open rows, as bits
  std::vector<uint64_t> changed_;  // by group: classes whose best may differ, as bits
  std::vector<uint32_t> empty_;    // blocks of which change() left no best row of some class
};

}  // namespace berth::framework
