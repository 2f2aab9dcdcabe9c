#pragma once

// The rows that have another verdict because of pods that are nominated to them, with what they had
// before, and for whom the overlays hold.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/framework/evaluation/rows/row_work.h"
#include "engine/framework/kept/row_versions.h"
#include "engine/framework/ranking/rows/class_rows.h"

namespace berth::framework {

// A row is overlaid once. Overlays without a kind hold for one decision. One thread at a time.
class Overlays {
 public:
  struct One {
    model::Row row;
    Refuser refuser, own_refuser;  // the own ones are those from before
    uint8_t code, own_code;
  };

  void resize(size_t blocks) { is_overlaid_.resize(blocks); }
  // Precondition: it refuses the row, which has no overlay.
  void add(const One& one) {
    BERTH_ASSERT(one.refuser != kFeasible && !has(one.row));
    is_overlaid_[one.row / kBlock] |= uint64_t{1} << one.row % kBlock;
    all_.push_back(one);
  }
  // Rows may be gone. Precondition: take_hold() was called since the last hold().
  void forget() {
    BERTH_ASSERT(!holds_);
    for (const One& one : all_)
      if (one.row / kBlock < is_overlaid_.size()) is_overlaid_[one.row / kBlock] = 0;
    all_.clear();
    kind_ = 0;
  }
  // Says of which kind of pods they are, up to which version. Kind 0: of no kind.
  void are_of(uint64_t kind, uint64_t version) {
    kind_ = kind;
    version_ = version;
  }
  // Takes away the overlays of rows with a higher version, calls end(one) for each, and holds the
  // others: the next take_hold() returns true. Precondition: kind() is not 0.
  template <typename End>
  void hold(const RowVersions& versions, End&& end) {
    BERTH_ASSERT(kind_ != 0);
    const auto stays = [by_row = versions.rows(), version = version_](const One& one) {
      return one.row < by_row.size() && by_row[one.row] <= version;
    };
    // Mostly all stay.
    const auto first = std::ranges::find_if_not(all_, stays);
    const auto ends = [&](const One& one) {
      if (stays(one)) return false;
      BERTH_ASSERT(one.row / kBlock < is_overlaid_.size());
      end(one);
      is_overlaid_[one.row / kBlock] &= ~(uint64_t{1} << one.row % kBlock);
      return true;
    };
    all_.erase(std::remove_if(first, all_.end(), ends), all_.end());
    holds_ = true;
  }
  [[nodiscard]] bool take_hold() { return std::exchange(holds_, false); }

  bool empty() const { return all_.empty(); }
  bool has(model::Row row) const { return bit(is_overlaid_, row); }
  const std::vector<One>& all() const { return all_; }
  uint64_t kind() const { return kind_; }
  uint64_t version() const { return version_; }
  size_t bytes() const {
    return all_.capacity() * sizeof(One) + is_overlaid_.capacity() * sizeof(uint64_t);
  }

 private:
  std::vector<One> all_;
  RowBits is_overlaid_;
  uint64_t kind_ = 0;
  uint64_t version_ = 0;
  bool holds_ = false;
};

}  // namespace berth::framework
