#include "engine/framework/ranking/scores/class_scores.h"

#include <algorithm>
#include <bit>

#include "engine/framework/evaluation/evaluator.h"

namespace berth::framework {
namespace {

// Calls visit(class) for each set bit.
template <typename Visit>
void for_each_class(uint64_t classes, Visit&& visit) {
  for (; classes != 0; classes &= classes - 1)
    visit(static_cast<RowClass>(std::countr_zero(classes)));
}

}  // namespace

size_t ClassScores::add(size_t index, const ScoreCalls& calls) {
  Score& made = scores_.emplace_back();
  made.index = index;
  made.calls = calls;
  made.number = classes_.add(calls.hook().bound, calls.state());
  return scores_.size() - 1;
}

// False: the score failed.
bool ClassScores::ask(const DecisionContext& cycle, Score& score, RowPart& part) {
  const auto& hook = score.calls.hook();
  const bool follows = hook.point->depends() == BERTH_DEPENDS_FEASIBLE && hook.before != kNoHook;
  const uint64_t version = follows ? cycle.pre_score().versions[hook.before] : 0;
  const uint64_t shared = hook.bound.shared_stamp(score.calls.state());
  const uint64_t stamp = classes_.stamp(score.number);
  const uint32_t ran = cycle.ran(hook);
  if (version == score.version && shared == score.shared && stamp == score.stamp &&
      ran == score.calls.ran())
    return true;
  score.version = version;
  score.shared = shared;
  score.stamp = stamp;
  score.calls.set_ran(ran);
  classes_.columns(score.number, part.columns);
  return score.calls.gathered({score.raw.data(), classes_.count()}, part);
}

ClassScores::Followed ClassScores::follow(const DecisionContext& cycle, const RowChanges* changes,
                                          model::Row rows, std::vector<MovedRow>& moved,
                                          RowPart& part, std::string& error) {
  auto followed = RowClasses::Followed::kBuilt;
  if (changes != nullptr) {
    followed = classes_.follow(*changes, rows, moved);
  } else if (!classes_.build(rows)) {
    followed = RowClasses::Followed::kTooMany;
  }
  if (followed == RowClasses::Followed::kTooMany) return Followed::kTooMany;
  classes_.read_counts();
  for (Score& score : scores_) {
    if (ask(cycle, score, part)) continue;
    score.stamp = 0;  // so that it is asked again
    error = score_error(score.calls.hook().point->plugin(), part.error);
    return Followed::kFailed;
  }
  return followed == RowClasses::Followed::kBuilt ? Followed::kBuilt : Followed::kMoved;
}

bool ClassScores::finish(host::CallContext& calls, Score& score, uint64_t present) {
  score.of = {};
  bool in_range = true;
  for_each_class(present, [&](RowClass one) {
    const int64_t raw = score.raw[one];
    in_range &= raw >= 0 && raw <= kHighestScore;
    if (raw == BERTH_NOT_SCORED) {
      score.of.unscored = true;
      return;
    }
    score.of.minimum = std::min(score.of.minimum, raw);
    score.of.maximum = std::max(score.of.maximum, raw);
  });
  const auto& hook = score.calls.hook();
  if (score.kind() == BERTH_NORMALISE_NONE) {
    score.final = score.raw;
    return in_range;
  }
  const int64_t low = score.of.minimum, high = score.of.maximum;
  if (low <= high && hook.point->check_extremes(calls, {}, low, high)) return false;
  for_each_class(present, [&](RowClass one) {
    const int64_t raw = score.raw[one];
    score.final[one] = raw == BERTH_NOT_SCORED ? 0 : normalised(score.kind(), raw, low, high);
  });
  return true;
}

bool ClassScores::finish(host::CallContext& calls, uint64_t present) {
  for_each_class(present, [&](RowClass one) { parts_[one] = 0; });
  for (Score& score : scores_) {
    if (!finish(calls, score, present)) return false;
    for_each_class(present, [&](RowClass one) {
      parts_[one] += score.calls.hook().weight * score.final[one];
    });
  }
  return true;
}

void ClassScores::describe(size_t number, HookScores& out) const {
  const Score& score = scores_[number];
  out.hook = score.index;
  out.kind = score.kind();
  out.minimum = score.of.minimum;
  out.maximum = score.of.maximum;
  out.classes = classes_.of_rows();
  out.raw_by_row = score.raw.data();
  out.final_by_row = score.final.data();
  if (out.kind == BERTH_NORMALISE_NONE) return;
  if (score.of.minimum > score.of.maximum) {  // nothing is scored
    out.uniform = true;
    out.uniform_raw = BERTH_NOT_SCORED;
  } else if (score.uniform()) {
    out.uniform = true;
    out.uniform_raw = score.of.minimum;
    out.uniform_final = normalised(out.kind, out.uniform_raw, out.uniform_raw, out.uniform_raw);
  }
}

const int64_t* ClassScores::by_row(size_t number) {
  Score& score = scores_[number];
  const RowClass* classes = classes_.of_rows();
  score.by_row.resize(classes_.rows());
  for (size_t row = 0; row < score.by_row.size(); ++row)
    score.by_row[row] = classes[row] == RowClasses::kNone ? 0 : score.raw[classes[row]];
  return score.by_row.data();
}

size_t ClassScores::bytes() const {
  size_t bytes = classes_.bytes() + scores_.capacity() * sizeof(Score);
  for (const Score& score : scores_) bytes += score.by_row.capacity() * sizeof(int64_t);
  return bytes;
}

}  // namespace berth::framework
