#include "engine/framework/ranking/totals/total_classes.h"

namespace berth::framework {

void TotalClasses::build(const RowClasses* filters, const RowClasses* scores, model::Row rows) {
  filters_ = filters;
  scores_ = scores;
  knows_filters_ = true;
  if (filters == nullptr || scores == nullptr) {
    kind_ = filters != nullptr ? Kind::kFilters : scores != nullptr ? Kind::kScores : Kind::kNone;
    return;
  }
  kind_ = Kind::kBoth;
  // Few free places would soon be taken, and all rows paired again.
  if (pair_all(rows) && count_ <= kMost / 4 * 3) return;
  kind_ = Kind::kScores;
  knows_filters_ = false;
}

bool TotalClasses::pair_all(model::Row rows) {
  count_ = 0;
  pairs_.assign(size_t{kMost} * kMost, RowClasses::kNone);
  of_rows_.assign((size_t{rows} + 63) / 64 * 64, RowClasses::kNone);
  for (model::Row row = 0; row < rows; ++row)
    if (!move(row)) return false;
  return true;
}

bool TotalClasses::move(model::Row row) {
  if (kind_ != Kind::kBoth) return true;
  if (row >= of_rows_.size()) of_rows_.resize(row / 64 * 64 + 64, RowClasses::kNone);
  const RowClass filter = filters_->of_rows()[row], score = scores_->of_rows()[row];
  RowClass& pair = pairs_[size_t{filter} * kMost + score];
  if (pair == RowClasses::kNone) {
    if (count_ == kMost) return false;
    pair = static_cast<RowClass>(count_++);
    filter_[pair] = filter;
    score_[pair] = score;
  }
  of_rows_[row] = pair;
  return true;
}

uint32_t TotalClasses::count() const {
  switch (kind_) {
    case Kind::kFilters:
      return filters_->count();
    case Kind::kScores:
      return scores_->count();
    case Kind::kBoth:
      return count_;
    case Kind::kNone:
      break;
  }
  return 1;
}

const RowClass* TotalClasses::of_rows() const {
  switch (kind_) {
    case Kind::kFilters:
      return filters_->of_rows();
    case Kind::kScores:
      return scores_->of_rows();
    case Kind::kBoth:
      return of_rows_.data();
    case Kind::kNone:
      break;
  }
  return nullptr;
}

uint64_t TotalClasses::allowed(uint64_t refused) const {
  const uint32_t classes = count();
  const uint64_t all = classes == 0 ? 0 : ~uint64_t{0} >> (64 - classes);
  if (kind_ == Kind::kFilters) return all & ~refused;
  if (kind_ != Kind::kBoth || refused == 0) return all;
  uint64_t allowed = 0;
  for (uint32_t of = 0; of < classes; ++of)
    allowed |= uint64_t{(refused >> filter_[of] & 1) == 0} << of;
  return allowed;
}

}  // namespace berth::framework
