#pragma once

// The sums of the raw scores of a ranking: its totals.

#include <vector>

#include "engine/framework/ranking/scores/kept_score.h"

namespace berth::framework {

// Scores divided by how they are added: those that are equal for all rows, those that are added as
// they are, and those that are normalised. One thread at a time.
class AddedScores {
 public:
  using With = FinalScores KeptScore::*;

  // Divides the scores, which outlive the use. `with`: how they become final.
  void divide(const std::vector<KeptScore>& scores, With with);
  // Writes the totals of rows [begin, end). `total`: by row.
  void add_rows(model::Row begin, model::Row end, KeptTotal* total) const;
  // The total of a row. Precondition: divided with KeptScore::in_totals.
  int64_t of_row(model::Row row) const {
    int64_t total = same_;
    for (const Plain& plain : plain_) total += plain.weight * (*plain.raw)[row];
    for (const KeptScore* kept : normalised_) total += kept->weight() * kept->final(row);
    return total;
  }
  bool normalises() const { return !normalised_.empty(); }

 private:
  struct Plain {
    const RawScores* raw;
    int64_t weight;
  };

  With with_ = &KeptScore::in_totals;
  KeptTotal same_ = 0;
  std::vector<Plain> plain_;
  std::vector<const KeptScore*> normalised_;
};

}  // namespace berth::framework
