#include "engine/framework/ranking/look_ahead.h"

#include <algorithm>
#include <chrono>

namespace berth::framework {
namespace {

constexpr size_t kFewestTasks = 4;
constexpr size_t kLongestPause = 4096;  // decisions without a look, where it never pays
constexpr uint64_t kFirst = 6;          // rounds on one thread and on several, in turns
constexpr uint64_t kMeasureEvery = 64;  // rounds until one is on one thread again

}  // namespace

size_t LookAhead::wanted(const FullOptions& options, const Rankings& rankings) {
  if (options.workers == nullptr || options.workers->threads() == 1) return 0;
  if (left_ != 0) {
    --left_;
    return 0;
  }
  if (rankings.count() >= kFewestTasks || !options.measured) return options.ahead;
  pause();
  return 0;
}

// Looks become rarer while there is nothing to gain.
void LookAhead::pause() {
  left_ = pause_;
  pause_ = std::min(2 * pause_, kLongestPause);
}

// Returns the number of entries of the change log to read, all tasks together.
uint64_t LookAhead::find_tasks(std::span<const KindAnswers> next, Rankings& rankings,
                               uint64_t from) {
  tasks_.clear();
  uint64_t entries = 0;
  for (const KindAnswers& kind : next) {
    Ranking* ranking = rankings.known(kind.pre_filter);
    if (ranking == nullptr || ranking->verdicts.behind() < from) continue;
    if (std::ranges::find(tasks_, ranking, &Task::ranking) != tasks_.end()) continue;
    tasks_.push_back({ranking, ranking->totals_for(kind.pre_score)});
    entries += ranking->verdicts.behind();
  }
  return entries;
}

void LookAhead::run_task(const Task& task, RowPart& part, RowChanges& changes) {
  part.rows += task.ranking->verdicts.behind();
  if (task.ranking->verdicts.advance(part, changes) && task.totals != nullptr)
    task.totals->advance(task.ranking->verdicts, part, changes);
}

void LookAhead::run_tasks(bool split, RowWork& work) {
  changes_.resize(work.slots());
  if (!split) {
    for (const Task& task : tasks_) run_task(task, work.mine(), changes_[0]);
    return;
  }
  work.over_tasks(tasks_.size(), [&](size_t task, size_t slot) {
    run_task(tasks_[task], work.part(slot), changes_[slot]);
  });
}

// A decision that asks about the rows itself costs what one thread does here, but for some calls.
bool LookAhead::pays() const {
  constexpr double kLeast = 1.25;
  return rounds_ < kFirst || per_entry_[1] * kLeast < per_entry_[0];
}

void LookAhead::run(const FullOptions& options, std::span<const KindAnswers> next,
                    Rankings& rankings, RowWork& work) {
  const uint64_t entries = find_tasks(next, rankings, options.ahead_from);
  left_ = next.size();
  if (!options.measured) return run_tasks(true, work);
  // Few pods may wait, or pods of few kinds, which says nothing of the next ones.
  if (tasks_.size() < kFewestTasks) return pause();
  if (!pays()) {
    rounds_ = 0;  // to be measured again
    return pause();
  }
  if (rounds_ >= kFirst) pause_ = kShortestPause;
  const bool split = rounds_ < kFirst ? rounds_ % 2 != 0 : rounds_ % kMeasureEvery != 0;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  run_tasks(split, work);
  const std::chrono::duration<double, std::nano> took = Clock::now() - start;
  double& mean = per_entry_[split ? 1 : 0];
  const double now = took.count() / static_cast<double>(entries);
  mean = rounds_ < 2 ? now : mean + (now - mean) / 4;
  ++rounds_;
}

}  // namespace berth::framework
