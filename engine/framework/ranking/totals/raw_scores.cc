#include "engine/framework/ranking/totals/raw_scores.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/framework/evaluation/kernels.h"

namespace berth::framework {

void RawScores::resize(size_t rows) {
  if (is_wide_) {
    wide_.resize(rows);
  } else {
    narrow_.resize(rows);
  }
}

void RawScores::widen() {
  is_wide_ = true;
  wide_.assign(narrow_.begin(), narrow_.end());
  narrow_ = {};
}

void RawScores::set_all(model::Row begin, std::span<const int64_t> raw) {
  if (!is_wide_ && !shorten(raw.data(), narrow_.data() + begin, raw.size())) widen();
  if (is_wide_) std::ranges::copy(raw, wide_.begin() + begin);
}

void RawScores::set_some(std::span<const model::Row> rows, std::span<const int64_t> raw) {
  constexpr size_t kAtOnce = 512;
  std::array<uint8_t, kAtOnce> bytes;
  while (!is_wide_ && !rows.empty()) {
    const size_t count = std::min(rows.size(), kAtOnce);
    if (!shorten(raw.data(), bytes.data(), count)) {
      widen();
      break;
    }
    for (size_t i = 0; i < count; ++i) narrow_[rows[i]] = bytes[i];
    rows = rows.subspan(count);
    raw = raw.subspan(count);
  }
  for (size_t i = 0; i < rows.size(); ++i) wide_[rows[i]] = raw[i];
}

void RawScores::write(model::Row begin, model::Row end, int64_t* by_row) const {
  if (is_wide_) {
    std::copy(wide_.begin() + begin, wide_.begin() + end, by_row + begin);
  } else {
    std::copy(narrow_.begin() + begin, narrow_.begin() + end, by_row + begin);
  }
}

bool RawScores::differ(model::Row begin, std::span<const int64_t> raw) const {
  if (is_wide_) return std::memcmp(&wide_[begin], raw.data(), raw.size_bytes()) != 0;
  return !std::equal(raw.begin(), raw.end(), narrow_.begin() + begin);
}

void RawScores::move(const model::RowShift& shift, model::BlockBits& differ) {
  if (is_wide_) {
    apply(shift, wide_.data(), differ);
  } else {
    apply(shift, narrow_.data(), differ);
  }
}

}  // namespace berth::framework
