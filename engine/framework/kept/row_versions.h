#pragma once

// Tells which rows the filters may judge differently than before, for pods of one kind.
//
// Some answers about single rows are dear and seldom change: the verdict with nominated pods, the
// texts of a refusal, the result of a dry run. Such an answer depends on the row's values in the
// columns that the filters read, on the row's pods, on the pods nominated to it, and on columns
// that all rows share. `follow` reads the change log and gives each row for which one of these
// changed a higher version. A keeper of answers remembers `now()` at the time of its answers; those
// for rows and blocks with a version above that are stale, all others hold.
//
// An overlaid row can depend on more than the row: the lowest count of all domains follows the
// other domains too. A change of such a count, of disruption budgets, or of a shared column, is a
// change of every row. A pod does not see its own nomination as others of its kind do, so its
// nominated row has a new version in its own decision and in the next one.
//
// One thread, that which owns the model; others may read while nothing modifies it.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/framework/evaluation/decision_context.h"

namespace berth::framework {

class RowVersions {
 public:
  static constexpr uint32_t kBlock = 64;  // rows of a block

  // True if the verdicts of all filters of the context follow the model alone, as columns and lists
  // of pods show it. Precondition: the context's filters are resolved.
  static bool can_follow(const DecisionContext& context);

  // For pods that have the template states of this context. Precondition: can_follow(context). The
  // cluster outlives the versions.
  RowVersions(const model::Cluster& cluster, const DecisionContext& context);

  // Takes over the changes since the last call. Call it once per decision, when the filters are
  // resolved and before the versions are read. Precondition: the context has the same profile and
  // template states each time.
  void follow(const DecisionContext& context);

  // No version is above it.
  uint64_t now() const { return now_; }
  // By row, never 0; equal versions of a row mean equal answers. Valid until the next follow().
  std::span<const uint64_t> rows() const { return rows_; }
  // The highest version of the rows of each block.
  std::span<const uint64_t> blocks() const { return blocks_; }

  // Visits the rows with a version above `seen`, in ascending order.
  template <typename Visit>
  void for_each_since(uint64_t seen, Visit&& visit) const {
    for (size_t block = 0; block < blocks_.size(); ++block) {
      if (blocks_[block] <= seen) continue;
      const size_t end = std::min(rows_.size(), (block + 1) * kBlock);
      for (size_t row = block * kBlock; row < end; ++row)
        if (rows_[row] > seen) visit(static_cast<model::Row>(row));
    }
  }

 private:
  void follow_columns(const DecisionContext& context);
  bool take(const model::ChangeLog::Entry& entry);
  void resize(model::Row rows);
  void change(model::Row row);
  void change_all();
  uint64_t shared_stamp(const DecisionContext& context) const;

  const model::Cluster& cluster_;
  uint64_t position_;       // in the change log
  uint64_t shared_ = 0;     // stamp of the columns that all rows share
  model::Changes follows_;  // bits of entries about a row
  // Count queries of which an overlay reads more than the row's own count, and those of which it
  // reads that one.
  std::vector<uint32_t> whole_queries_, row_queries_;
  model::Row own_ = model::kNoRow;  // the nominated row of the pod of the last decision
  uint64_t now_ = 0;
  std::vector<uint64_t> rows_, blocks_;
};

}  // namespace berth::framework
