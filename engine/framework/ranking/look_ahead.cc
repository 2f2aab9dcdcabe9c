#include "engine/framework/ranking/look_ahead.h"

#include <algorithm>
#include <chrono>

#include "engine/host/faults/in_plugin.h"

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

// Makes the rankings of new kinds, as far as they are made at their first use.
void LookAhead::find_new(std::span<const DecisionContext> new_kinds, Rankings& rankings) {
  for (const DecisionContext& context : new_kinds) {
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
    const Scored* scored = ranking->totals.find(kind.pre_score);
    tasks_.push_back({ranking, scored == nullptr ? nullptr : scored->totals.get()});
  }
}

bool LookAhead::makes_rankings() const {
  return std::ranges::any_of(tasks_, [](const Task& task) { return task.new_kind != nullptr; });
}

uint64_t LookAhead::entries() const {
  uint64_t entries = 0;
  for (const Task& task : tasks_) entries += task.ranking->verdicts.behind();
  return entries;
}

void LookAhead::run_task(const Task& task, const model::Cluster& cluster, ThreadMemory& thread) {
  RowPart& part = thread.work.mine();
  if (task.new_kind != nullptr) {
    const bool good = ask_all(task, cluster, thread);
    part.error.clear();  // the decision asks again, and finds it
    if (!good) return;
  } else {
    part.rows += task.ranking->verdicts.behind();
  }
  if (task.ranking->verdicts.advance(part, thread.changes) && task.totals != nullptr)
    task.totals->advance(task.ranking->verdicts, part, thread.changes);
}

// Asks about all rows, of a new ranking.
bool LookAhead::ask_all(const Task& task, const model::Cluster& cluster, ThreadMemory& thread) {
  const DecisionContext& context = *task.new_kind;
  const host::AboutPod about(cluster.text(context.pod->namespace_name),
                             cluster.text(context.pod->name), host::AboutPod::Of::kThread);
  if (!task.ranking->verdicts.catch_up(context, thread.work, thread.changes, false)) return false;
  return task.totals != nullptr &&
         task.totals->ask(context, SearchResult(), false, thread.work, thread.changes).empty();
}

void LookAhead::run_tasks(bool split, const model::Cluster& cluster, RowWork& work) {
  while (threads_.size() < work.slots()) threads_.emplace_back(work.part(threads_.size()));
  if (!split) {
    for (const Task& task : tasks_) run_task(task, cluster, threads_[0]);
    return;
  }
  work.over_tasks(tasks_.size(), [&](size_t task, size_t slot) {
    run_task(tasks_[task], cluster, threads_[slot]);
  });
}

// A decision that asks about the rows itself costs what one thread does here, but for some calls.
bool LookAhead::pays() const {
  constexpr double kLeast = 1.25;
  return rounds_ < kFirst || per_entry_[1] * kLeast < per_entry_[0];
}

void LookAhead::run_measured(const model::Cluster& cluster, RowWork& work) {
  if (!pays()) {
    rounds_ = 0;  // to be measured again
    return pause();
  }
  if (rounds_ >= kFirst) pause_ = kShortestPause;
  const auto entries = static_cast<double>(this->entries());
  const bool split = rounds_ < kFirst ? rounds_ % 2 != 0 : rounds_ % kMeasureEvery != 0;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  run_tasks(split, cluster, work);
  const std::chrono::duration<double, std::nano> took = Clock::now() - start;
  double& mean = per_entry_[split ? 1 : 0];
  const double now = took.count() / entries;
  mean = rounds_ < 2 ? now : mean + (now - mean) / 4;
  ++rounds_;
}

void LookAhead::run(const FullOptions& options, const Waiting& waiting, Rankings& rankings,
                    RowWork& work) {
  tasks_.clear();
  find_new(waiting.new_kinds, rankings);
  find_known(waiting.kinds, rankings, options.ahead_from);
  left_ = waiting.kinds.size();
  // Few pods may wait, or pods of few kinds, which says nothing of the next ones.
  if (options.measured && tasks_.size() < kFewestTasks) return pause();
  if (!options.measured || makes_rankings()) {
    // A look at all rows takes many times as long as a thread does to wake up.
    run_tasks(true, rankings.cluster(), work);
  } else {
    run_measured(rankings.cluster(), work);
  }
  // No ranking of a task is dropped: all of them were found since the last decision.
  for (const Task& task : tasks_)
    if (task.new_kind != nullptr) rankings.weigh(*task.ranking);
}

}  // namespace berth::framework
