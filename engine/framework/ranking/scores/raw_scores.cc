#include "engine/framework/ranking/scores/raw_scores.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/base/assert.h"
#include "engine/framework/evaluation/rows/row_work.h"
#include "engine/framework/evaluation/scores/kernels.h"
#include "engine/framework/evaluation/scores/score_widths.h"

namespace berth::framework {
namespace {

constexpr size_t kAtOnce = 512;

template <typename Scores>
using ScoreOf = typename Scores::value_type;

template <typename Score>
bool holds(const Extremes& of) {
  using Limits = std::numeric_limits<Score>;
  return of.minimum >= int64_t{Limits::min()} && of.maximum <= int64_t{Limits::max()};
}

// Copies scores to those of their type. False: some do not fit, and `to` is unspecified.
bool put_at(std::span<const int64_t> raw, auto* to) { return shorten(raw.data(), to, raw.size()); }
bool put_at(std::span<const int64_t> raw, int64_t* to) {
  std::ranges::copy(raw, to);
  return true;
}

}  // namespace

ScoreArray RawScores::by_row() const {
  BERTH_ASSERT(!zero());
  return visit([](const auto& scores) { return ScoreArray(scores.data()); },
               [] { return ScoreArray(); });
}

const int64_t* RawScores::wide(model::Row begin, model::Row end, int64_t* room) const {
  if (const int64_t* kept = wide(); kept != nullptr) return kept + begin;
  write(begin, end, room);
  return room;
}

void RawScores::write(model::Row begin, model::Row end, int64_t* out) const {
  const size_t count = end - begin;
  if (const int64_t* kept = wide(); kept != nullptr) {
    std::copy_n(kept + begin, count, out);
    return;
  }
  visit(
      [&]<typename Scores>(const Scores& scores) {
        if constexpr (sizeof(ScoreOf<Scores>) < sizeof(int64_t))
          lengthen(scores.data() + begin, out, count);
      },
      [&] { std::fill_n(out, count, 0); });
}

Extremes RawScores::extremes(uint32_t block, uint64_t rows) const {
  if (zero()) return rows == 0 ? Extremes{} : Extremes{.minimum = 0, .maximum = 0};
  const model::Row begin = block * kBlock;
  if (const Bytes* bytes = std::get_if<Bytes>(&scores_)) [[likely]]
    return extremes_of(bytes->data() + begin, rows);
  std::array<int64_t, kBlock> room;
  const int64_t* const raw = wide(begin, begin + kBlock, room.data());
  if (rows != ~uint64_t{0}) return extremes_of(raw, rows);
  Extremes found;
  extremes_of_all(raw, kBlock, found);
  return found.unscored ? extremes_of(raw, rows) : found;
}

void RawScores::resize(size_t rows) {
  rows_ = rows;
  std::visit(
      [rows]<typename Scores>(Scores& scores) {
        if constexpr (!std::is_same_v<Scores, Zeros>) scores.resize(rows);
      },
      scores_);
}

// Makes the type one that holds these scores and those that it held.
void RawScores::make_room(std::span<const int64_t> raw) {
  Extremes of;
  extremes_of_all(raw.data(), raw.size(), of);
  if (holds<uint8_t>(of)) return widen<uint8_t>();
  if (holds<int16_t>(of)) return widen<int16_t>();
  if (holds<int32_t>(of)) return widen<int32_t>();
  widen<int64_t>();
}

template <typename Score>
void RawScores::widen() {
  std::vector<Score> wider(rows_);
  const bool is_wider = visit(
      [&]<typename Scores>(const Scores& scores) {
        constexpr bool kGrows = sizeof(ScoreOf<Scores>) < sizeof(Score);
        if constexpr (kGrows) std::ranges::copy(scores, wider.begin());
        return kGrows;
      },
      [] { return true; });
  if (is_wider) scores_ = std::move(wider);
}

// False: some scores need another type, and those of these rows are unspecified.
bool RawScores::put(model::Row begin, std::span<const int64_t> raw) {
  return std::visit(
      [&]<typename Scores>(Scores& scores) {
        if constexpr (std::is_same_v<Scores, Zeros>) {
          return raw.front() == 0 && all_zero(raw.data(), raw.size());
        } else {
          return put_at(raw, scores.data() + begin);
        }
      },
      scores_);
}

// False: some scores need another type.
bool RawScores::put(std::span<const model::Row> rows, std::span<const int64_t> raw) {
  return std::visit(
      [&]<typename Scores>(Scores& scores) {
        if constexpr (std::is_same_v<Scores, Zeros>) {
          return all_zero(raw.data(), raw.size());
        } else {
          std::array<ScoreOf<Scores>, kAtOnce> some;
          if (!put_at(raw, some.data())) return false;
          // The compiler assumes that a written byte may change whatever is in memory, so nothing
          // is read twice.
          auto* const by_row = scores.data();
          const model::Row* const to = rows.data();
          const size_t count = rows.size();
          for (size_t i = 0; i < count; ++i) by_row[to[i]] = some[i];
          return true;
        }
      },
      scores_);
}

void RawScores::set_all(model::Row begin, std::span<const int64_t> raw) {
  if (raw.empty() || put(begin, raw)) return;
  if (zero()) {
    widen<uint8_t>();  // what most scores fit
    if (put(begin, raw)) return;
  }
  make_room(raw);
  const bool fits = put(begin, raw);
  BERTH_ASSERT(fits);
}

void RawScores::set_some(std::span<const model::Row> rows, std::span<const int64_t> raw) {
  for (size_t done = 0; done < rows.size(); done += kAtOnce) {
    const size_t count = std::min(rows.size() - done, kAtOnce);
    const auto to = rows.subspan(done, count);
    const auto some = raw.subspan(done, count);
    if (put(to, some)) continue;
    make_room(some);
    const bool fits = put(to, some);
    BERTH_ASSERT(fits);
  }
}

bool RawScores::in_range(model::Row rows) const {
  if (zero()) return true;
  if (const Bytes* bytes = std::get_if<Bytes>(&scores_)) return all_in_range(bytes->data(), rows);
  std::array<int64_t, kAtOnce> room;
  for (model::Row begin = 0; begin < rows; begin += kAtOnce) {
    const model::Row end = std::min<model::Row>(rows, begin + kAtOnce);
    if (!all_in_range(wide(begin, end, room.data()), end - begin)) return false;
  }
  return true;
}

bool RawScores::differ(model::Row begin, std::span<const int64_t> raw) const {
  if (const int64_t* kept = wide(); kept != nullptr)
    return std::memcmp(kept + begin, raw.data(), raw.size_bytes()) != 0;
  return visit(
      [&](const auto& scores) {
        return !std::equal(raw.begin(), raw.end(), scores.begin() + begin);
      },
      [&] { return !all_zero(raw.data(), raw.size()); });
}

void RawScores::move(const model::RowShift& shift, model::BlockBits& differ) {
  std::visit(
      [&]<typename Scores>(Scores& scores) {
        if constexpr (!std::is_same_v<Scores, Zeros>) apply(shift, scores.data(), differ);
      },
      scores_);
}

size_t RawScores::bytes() const {
  return visit([]<typename Scores>(
                   const Scores& scores) { return scores.capacity() * sizeof(ScoreOf<Scores>); },
               [] { return size_t{0}; });
}

}  // namespace berth::framework
