#include "engine/framework/ranking/totals/raw_scores.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/framework/evaluation/scores/kernels.h"

namespace berth::framework {
namespace {

bool all_zero(std::span<const int64_t> raw) {
  uint64_t bits = 0;
  for (const int64_t one : raw) bits |= static_cast<uint64_t>(one);
  return bits == 0;
}

}  // namespace

void RawScores::resize(size_t rows) {
  rows_ = rows;
  if (form_ == Form::kNarrow) narrow_.resize(rows);
  if (form_ == Form::kWide) wide_.resize(rows);
}

// So that there is an array, of the scores so far.
void RawScores::make_array() {
  if (!zero()) return;
  form_ = wide_first_ ? Form::kWide : Form::kNarrow;
  resize(rows_);
}

void RawScores::widen() {
  form_ = Form::kWide;
  wide_.assign(narrow_.begin(), narrow_.end());
  narrow_ = {};
}

void RawScores::set_all(model::Row begin, std::span<const int64_t> raw) {
  if (zero() && all_zero(raw)) return;
  make_array();
  if (form_ == Form::kNarrow && !shorten(raw.data(), narrow_.data() + begin, raw.size())) widen();
  if (form_ == Form::kWide) std::ranges::copy(raw, wide_.begin() + begin);
}

void RawScores::set_some(std::span<const model::Row> rows, std::span<const int64_t> raw) {
  if (zero() && all_zero(raw)) return;
  make_array();
  constexpr size_t kAtOnce = 512;
  std::array<uint8_t, kAtOnce> bytes;
  while (form_ == Form::kNarrow && !rows.empty()) {
    const size_t count = std::min(rows.size(), kAtOnce);
    if (!shorten(raw.data(), bytes.data(), count)) {
      widen();
      break;
    }
    // The compiler assumes that a written byte may change the vector's pointer, so it is read once.
    uint8_t* const narrow = narrow_.data();
    for (size_t i = 0; i < count; ++i) narrow[rows[i]] = bytes[i];
    rows = rows.subspan(count);
    raw = raw.subspan(count);
  }
  for (size_t i = 0; i < rows.size(); ++i) wide_[rows[i]] = raw[i];
}

void RawScores::write(model::Row begin, model::Row end, int64_t* by_row) const {
  if (zero()) {
    std::fill(by_row + begin, by_row + end, 0);
  } else if (form_ == Form::kWide) {
    std::copy(wide_.begin() + begin, wide_.begin() + end, by_row + begin);
  } else {
    std::copy(narrow_.begin() + begin, narrow_.begin() + end, by_row + begin);
  }
}

bool RawScores::differ(model::Row begin, std::span<const int64_t> raw) const {
  if (zero()) return !all_zero(raw);
  if (form_ == Form::kWide) return std::memcmp(&wide_[begin], raw.data(), raw.size_bytes()) != 0;
  return !std::equal(raw.begin(), raw.end(), narrow_.begin() + begin);
}

void RawScores::move(const model::RowShift& shift, model::BlockBits& differ) {
  if (form_ == Form::kWide) apply(shift, wide_.data(), differ);
  if (form_ == Form::kNarrow) apply(shift, narrow_.data(), differ);
}

}  // namespace berth::framework
