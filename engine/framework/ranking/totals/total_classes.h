#pragma once

// The classes by which the best totals are kept: two rows are in one class if the filters that are
// asked by class cannot tell them apart, and neither can the scores. A filter that refuses a class,
// and a score of a class, then change no total of a row.

#include <array>
#include <vector>

#include "engine/framework/ranking/rows/row_classes.h"

namespace berth::framework {

// Belongs to the thread that owns the model.
class TotalClasses {
 public:
  // Makes the classes of those of the filters and scores, either of which may be null. Both outlive
  // the use of the object.
  void build(const RowClasses* filters, const RowClasses* scores, model::Row rows);
  // A row that came, or is in another class of filters or scores. False: there are too many
  // classes, and build() has to follow.
  [[nodiscard]] bool move(model::Row row);
  // Moves the classes of rows with the rows, as those of filters and scores move (moved_rows.cc),
  // and marks the blocks in which they differ afterwards. Rows that came are in no class yet.
  void move(const model::Renumbering& by, model::BlockBits& differ);

  // False: with the classes of filters there would be too many, so they are not told apart.
  bool knows_filters() const { return knows_filters_; }
  uint32_t count() const;
  // By row; null: there is one class.
  const RowClass* of_rows() const;
  // The classes whose class of filters is not refused; both as bits.
  uint64_t allowed(uint64_t refused) const;
  // Precondition: there are classes of scores.
  RowClass score_class(RowClass of) const { return kind_ == Kind::kBoth ? score_[of] : of; }
  size_t bytes() const { return of_rows_.capacity() + pairs_.capacity(); }

 private:
  enum class Kind : uint8_t { kNone, kFilters, kScores, kBoth };
  static constexpr uint32_t kMost = RowClasses::kMost;

  [[nodiscard]] bool pair_all(model::Row rows);

  const RowClasses* filters_ = nullptr;
  const RowClasses* scores_ = nullptr;
  Kind kind_ = Kind::kNone;
  bool knows_filters_ = true;
  // Of kBoth.
  uint32_t count_ = 0;
  std::vector<RowClass> of_rows_;
  std::vector<RowClass> pairs_;  // by class of filters * kMost + class of scores
  std::array<RowClass, kMost> filter_{}, score_{};
};

}  // namespace berth::framework
