#include "engine/model/relations/domain_rows.h"

#include <algorithm>

namespace berth::model {

std::span<const uint32_t> DomainRows::of(DomainCode code) {
  if (generation_ != domains_.generation()) sort();
  if (size_t{code} + 1 >= begins_.size()) return {};
  return {rows_.data() + begins_[code], begins_[code + 1] - begins_[code]};
}

// By counting: a code's rows stand behind those of the codes below it.
void DomainRows::sort() {
  generation_ = domains_.generation();
  const auto* codes = domains_.values<uint32_t>();
  const size_t count = domains_.count();
  DomainCode most = 0;
  for (size_t row = 0; row < count; ++row) most = std::max(most, codes[row]);
  begins_.assign(size_t{most} + 2, 0);
  for (size_t row = 0; row < count; ++row) ++begins_[codes[row] + 1];
  for (size_t code = 1; code < begins_.size(); ++code) begins_[code] += begins_[code - 1];
  rows_.resize(count);
  std::vector<uint32_t> next(begins_.begin(), begins_.end() - 1);
  for (uint32_t row = 0; row < count; ++row) rows_[next[codes[row]]++] = row;
}

}  // namespace berth::model
