#pragma once

// Brings the rankings of the pods that wait next up to date together, on several threads, while the
// model is not modified. The decisions about these pods then ask about few rows each: those that
// changed meanwhile.
//
// Decisions do not depend on it. Whether it pays depends on the machine and on the hooks: a thread
// that sleeps takes long to wake up where pods are of few kinds. So it is measured.

#include <array>
#include <span>
#include <vector>

#include "engine/framework/evaluation/evaluator.h"
#include "engine/framework/ranking/rankings.h"

namespace berth::framework {

// Belongs to the thread that owns the model.
class LookAhead {
 public:
  // Number of pods to look at now; 0: none. To be asked once for each decision.
  size_t wanted(const FullOptions& options, const Rankings& rankings);
  // Brings the rankings of these kinds of pods up to date, as far as there are any.
  void run(const FullOptions& options, std::span<const KindAnswers> next, Rankings& rankings,
           RowWork& work);
  // Forgets what it knows of columns.
  void forget() {
    for (RowChanges& changes : changes_) changes.recent().forget();
  }

 private:
  struct Task {
    Ranking* ranking;
    Totals* totals;  // null: none
  };
  uint64_t find_tasks(std::span<const KindAnswers> next, Rankings& rankings, uint64_t from);
  static void run_task(const Task& task, RowPart& part, RowChanges& changes);
  void run_tasks(bool split, RowWork& work);
  bool pays() const;
  void pause();

  std::vector<Task> tasks_;
  std::vector<RowChanges> changes_;  // by slot of RowWork
  static constexpr size_t kShortestPause = 32;
  size_t left_ = 0;                    // decisions until the next look
  size_t pause_ = kShortestPause;      // decisions of the next pause
  uint64_t rounds_ = 0;                // since the last pause
  std::array<double, 2> per_entry_{};  // nanoseconds: on one thread, and on several
};

}  // namespace berth::framework
