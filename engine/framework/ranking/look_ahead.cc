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

bool LookAhead::has_task(const Ranking* ranking) const {
  return std::ranges::find(tasks_, ranking, &Task::ranking) != tasks_.end();
}

// Makes the rankings of new kinds, as far as they are made at once.
void LookAhead::find_new(std::span<const DecisionContext> fresh, Rankings& rankings) {
  for (const DecisionContext& context : fresh) {
    if (rankings.known(context.pre_filter().number) != nullptr) continue;
    Ranking* ranking = rankings.find_ahead(context);
    // Several kinds may share one, which another thread must not fill in as well.
    if (ranking == nullptr || ranking->verdicts.built() || has_task(ranking)) continue;
    if (!ranking->verdicts.suits_any_thread()) continue;
    Totals& totals = rankings.totals(*ranking, context);
    tasks_.push_back({ranking, totals.suits_any_thread() ? &totals : nullptr, &context});
  }
}

void LookAhead::find_known(std::span<const KindAnswers> kinds, Rankings& rankings, uint64_t from) {
  for (const KindAnswers& kind : kinds) {
    Ranking* ranking = rankings.known(kind.pre_filter);
    if (ranking == nullptr || !ranking->verdicts.built()) continue;
    if (ranking->verdicts.behind() < from || has_task(ranking)) continue;
    tasks_.push_back({ranking, ranking->totals_for(kind.pre_score)});
  }
}

// Of the change log, or as if all rows had changed.
uint64_t LookAhead::entries(const Rankings& rankings) const {
  uint64_t entries = 0;
  for (const Task& task : tasks_)
    entries += task.fresh != nullptr ? rankings.rows() : task.ranking->verdicts.behind();
  return entries;
}

void LookAhead::run_task(const Task& task, Slot& slot) {
  RowPart& part = slot.work.mine();
  if (task.fresh != nullptr) {
    const bool good = ask_all(task, slot);
    part.error.clear();  // the decision asks again, and finds it
    if (!good) return;
  } else {
    part.rows += task.ranking->verdicts.behind();
  }
  if (task.ranking->verdicts.advance(part, slot.changes) && task.totals != nullptr)
    task.totals->advance(task.ranking->verdicts, part, slot.changes);
}

// Asks about all rows, of a new ranking.
bool LookAhead::ask_all(const Task& task, Slot& slot) {
  if (!task.ranking->verdicts.catch_up(*task.fresh, slot.work, slot.changes, false)) return false;
  return task.totals != nullptr &&
         task.totals->ask(*task.fresh, SearchResult(), false, slot.work, slot.changes).empty();
}

void LookAhead::run_tasks(bool split, Rankings& rankings, RowWork& work) {
  while (slots_.size() < work.slots()) slots_.emplace_back(work.part(slots_.size()));
  if (split) {
    work.over_tasks(tasks_.size(),
                    [&](size_t task, size_t slot) { run_task(tasks_[task], slots_[slot]); });
  } else {
    for (const Task& task : tasks_) run_task(task, slots_[0]);
  }
  for (const Task& task : tasks_)
    if (task.fresh != nullptr) rankings.weigh(*task.ranking);
}

// A decision that asks about the rows itself costs what one thread does here, but for some calls.
bool LookAhead::pays() const {
  constexpr double kLeast = 1.25;
  return rounds_ < kFirst || per_entry_[1] * kLeast < per_entry_[0];
}

void LookAhead::run(const FullOptions& options, const Next& next, Rankings& rankings,
                    RowWork& work) {
  tasks_.clear();
  find_new(next.fresh, rankings);
  find_known(next.kinds, rankings, options.ahead_from);
  left_ = next.kinds.size();
  if (!options.measured) return run_tasks(true, rankings, work);
  // Few pods may wait, or pods of few kinds, which says nothing of the next ones.
  if (tasks_.size() < kFewestTasks) return pause();
  if (!pays()) {
    rounds_ = 0;  // to be measured again
    return pause();
  }
  if (rounds_ >= kFirst) pause_ = kShortestPause;
  const uint64_t entries = this->entries(rankings);
  const bool split = rounds_ < kFirst ? rounds_ % 2 != 0 : rounds_ % kMeasureEvery != 0;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  run_tasks(split, rankings, work);
  const std::chrono::duration<double, std::nano> took = Clock::now() - start;
  double& mean = per_entry_[split ? 1 : 0];
  const double now = took.count() / static_cast<double>(entries);
  mean = rounds_ < 2 ? now : mean + (now - mean) / 4;
  ++rounds_;
}

}  // namespace berth::framework
