#include "engine/framework/kept/kept_reasons.h"

#include "engine/base/assert.h"

namespace berth::framework {

void KeptReasons::resize(model::Row rows) {
  for (size_t row = rows; row < of_row_.size(); ++row)
    if (of_row_[row] != kNone) --lists_[of_row_[row] - size_t{1}].rows;
  of_row_.resize(rows, kNone);
}

uint32_t KeptReasons::number_of(Refuser refuser, const std::vector<std::string>& texts) {
  const auto [at, fresh] =
      numbers_.try_emplace({refuser, texts}, static_cast<uint32_t>(lists_.size() + 1));
  if (fresh) lists_.push_back({&at->first, 0});
  return at->second;
}

void KeptReasons::set(model::Row row, uint32_t list) {
  BERTH_ASSERT(row < of_row_.size() && list - size_t{1} < lists_.size());
  if (of_row_[row] != kNone) --lists_[of_row_[row] - size_t{1}].rows;
  of_row_[row] = list;
  ++lists_[list - size_t{1}].rows;
}

void KeptReasons::clear() {
  seen = 0;
  of_row_.clear();
  lists_.clear();
  numbers_.clear();
}

CountedReasons KeptReasons::count() const {
  CountedReasons counted;
  for (const List& list : lists_) {
    if (list.rows == 0) continue;
    const auto& [refuser, texts] = *list.key;
    counted.refusers.insert(refuser);
    for (const std::string& text : texts) counted.counts[text] += list.rows;
  }
  return counted;
}

}  // namespace berth::framework
