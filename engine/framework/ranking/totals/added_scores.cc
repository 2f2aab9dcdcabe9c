#include "engine/framework/ranking/totals/added_scores.h"

#include <algorithm>
#include <array>
#include <variant>

#include "engine/framework/evaluation/scores/kernels.h"

namespace berth::framework {

void AddedScores::divide(const std::vector<KeptScore>& scores, With with) {
  with_ = with;
  plain_.clear();
  normalised_.clear();
  int64_t same = 0;
  for (const KeptScore& kept : scores) {
    if ((kept.*with).is_same) {
      same += kept.weight() * (kept.*with).same;
    } else if (kept.normalises()) {
      normalised_.push_back(&kept);
    } else if (!kept.raw.zero()) {
      plain_.push_back({&kept.raw, kept.weight()});
    }
  }
  same_ = static_cast<KeptTotal>(same);
}

void AddedScores::add_rows(model::Row begin, model::Row end, KeptTotal* total) const {
  constexpr model::Row kPiece = 1024;  // stays in the first cache
  std::array<int64_t, kPiece> room;
  for (; begin < end; begin += kPiece) {
    const model::Row rows = std::min(kPiece, end - begin);
    KeptTotal* const piece = total + begin;
    fill_totals(same_, piece, rows);
    for (const auto& [raw, by] : plain_) {
      const auto weight = static_cast<KeptTotal>(by);
      std::visit([&](const auto* scores) { add_raw(scores + begin, weight, piece, rows); },
                 raw->by_row());
    }
    for (const KeptScore* kept : normalised_)
      add_normalised(kept->kind(), kept->raw.wide(begin, begin + rows, room.data()),
                     (kept->*with_).of, static_cast<KeptTotal>(kept->weight()), piece, rows);
  }
}

}  // namespace berth::framework
