// Raw scores that are asked again, and are mostly what they were.

#include <algorithm>
#include <cstring>

#include "engine/framework/ranking/totals/totals.h"

namespace berth::framework {
namespace {

bool in_range(int64_t raw) { return raw >= 0 && raw <= kHighestScore; }

}  // namespace

bool Totals::ask_rows(Kept& kept, RowWork& work) {
  answers_.resize(asked_.size());
  if (!kept.calls.single(asked_, answers_.data(), work.mine())) return false;
  for (size_t i = 0; i < asked_.size(); ++i) {
    const model::Row row = asked_[i];
    if (kept.raw[row] == answers_[i]) continue;
    kept.raw[row] = answers_[i];
    kept.odd |= !kept.normalises() && !in_range(answers_[i]);
    kept.asked = true;
    touched_.push_back(row);
  }
  return true;
}

// Asks about all rows, and touches those whose scores differ unless they are many: most often an
// input that all rows share, such as the number of nodes, changes few scores or none.
bool Totals::ask_again(Kept& kept, RowWork& work) {
  final_.resize(kept.raw.size());
  if (!kept.calls.rows(0, rows_, final_.data(), work)) return false;
  if (!kept.normalises()) kept.odd = !all_in_range(final_.data(), rows_);
  kept.asked = true;
  size_t differ = 0;
  for (model::Row row = 0; row < rows_ && !many(differ, rows_); row += kBlock) {
    const model::Row end = std::min(row + kBlock, rows_);
    if (std::memcmp(&final_[row], &kept.raw[row], (end - row) * sizeof(int64_t)) == 0) continue;
    for (model::Row i = row; i < end; ++i) {
      if (final_[i] == kept.raw[i]) continue;
      touched_.push_back(i);
      ++differ;
    }
  }
  kept.asked_all |= many(differ, rows_);
  std::swap(final_, kept.raw);
  return true;
}

}  // namespace berth::framework
