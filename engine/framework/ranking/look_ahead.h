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
  // Pods that wait: those of known kinds, and the new kinds among them.
  struct Next {
    std::span<const KindAnswers> kinds;
    std::span<const DecisionContext> fresh;
  };

  // Number of pods to look at now; 0: none. To be asked once for each decision.
  size_t wanted(const FullOptions& options, const Rankings& rankings);
  // Brings the rankings of these kinds of pods up to date, and makes those of new kinds if they are
  // made when they are asked for the first time.
  void run(const FullOptions& options, const Next& next, Rankings& rankings, RowWork& work);
  // Forgets what it knows of columns.
  void forget() {
    for (Slot& slot : slots_) slot.changes.recent().forget();
  }

 private:
  struct Task {
    Ranking* ranking;
    Totals* totals;                          // null: none
    const DecisionContext* fresh = nullptr;  // of a new kind: all rows are asked about
  };
  // The memory of one slot of RowWork.
  struct Slot {
    explicit Slot(RowPart& part) : work(part) {}
    RowWork work;
    RowChanges changes;
  };
  void find_new(std::span<const DecisionContext> fresh, Rankings& rankings);
  void find_known(std::span<const KindAnswers> kinds, Rankings& rankings, uint64_t from);
  bool has_task(const Ranking* ranking) const;
  uint64_t entries(const Rankings& rankings) const;
  static void run_task(const Task& task, Slot& slot);
  [[nodiscard]] static bool ask_all(const Task& task, Slot& slot);
  void run_tasks(bool split, Rankings& rankings, RowWork& work);
  bool pays() const;
  void pause();

  std::vector<Task> tasks_;
  std::vector<Slot> slots_;
  static constexpr size_t kShortestPause = 32;
  size_t left_ = 0;                    // decisions until the next look
  size_t pause_ = kShortestPause;      // decisions of the next pause
  uint64_t rounds_ = 0;                // since the last pause
  std::array<double, 2> per_entry_{};  // nanoseconds: on one thread, and on several
};

}  // namespace berth::framework
