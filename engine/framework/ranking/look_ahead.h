#pragma once

// Brings the rankings of the pods that wait next up to date together, on several threads, while the
// model is not modified, and makes those of new kinds of pods. The decisions about these pods then
// ask about few rows each: those that changed meanwhile.
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
  // The kinds of the pods that wait, in turn, and the contexts of those that are new.
  struct Waiting {
    std::span<const KindAnswers> kinds;
    std::span<const DecisionContext> new_kinds;
  };

  // Number of pods to look at now; 0: none. To be asked once for each decision.
  size_t wanted(const FullOptions& options, const Rankings& rankings);
  // Brings the rankings of these kinds of pods up to date, and makes those of new kinds where a
  // ranking is made at its first use.
  void run(const FullOptions& options, const Waiting& waiting, Rankings& rankings, RowWork& work);
  // Forgets what it knows of columns.
  void forget() {
    for (ThreadMemory& thread : threads_) thread.changes.recent().forget();
  }

 private:
  struct Task {
    Ranking* ranking;
    Totals* totals;                             // null: none
    const DecisionContext* new_kind = nullptr;  // all rows are asked about
  };
  // Of one slot of RowWork.
  struct ThreadMemory {
    explicit ThreadMemory(RowPart& part) : work(part) {}
    RowWork work;
    RowChanges changes;
  };
  void find_new(std::span<const DecisionContext> new_kinds, Rankings& rankings);
  void find_known(std::span<const KindAnswers> kinds, Rankings& rankings, uint64_t from);
  bool has_task(const Ranking* ranking) const;
  bool makes_rankings() const;
  uint64_t entries() const;  // of the change log, that the tasks read
  static void run_task(const Task& task, const model::Cluster& cluster, ThreadMemory& thread);
  [[nodiscard]] static bool ask_all(const Task& task, const model::Cluster& cluster,
                                    ThreadMemory& thread);
  void run_tasks(bool split, const model::Cluster& cluster, RowWork& work);
  void run_measured(const model::Cluster& cluster, RowWork& work);
  bool pays() const;
  void pause();

  std::vector<Task> tasks_;
  std::vector<ThreadMemory> threads_;
  static constexpr size_t kShortestPause = 32;
  size_t left_ = 0;                    // decisions until the next look
  size_t pause_ = kShortestPause;      // decisions of the next pause
  uint64_t rounds_ = 0;                // since the last pause
  std::array<double, 2> per_entry_{};  // nanoseconds: on one thread, and on several
};

}  // namespace berth::framework
