#pragma once

// Plays a Plan. Operations run one after the other. Churn and gradual deletion run beside them:
// each is a Timer, and its ticks are merged with the operations by planned time.
//
// Each step of the load comes either from the earliest timer that is due or from the current
// operation (op(), current_). An operation that waits (sleep, barrier, deletePods without
// skipWaitToCompletion) advances now_ to the next timer. Pods created by an operation are recorded
// as a PodRun and not one by one, because names and specs can be rebuilt from their numbers.

#include <cstdint>
#include <deque>
#include <string>
#include <variant>
#include <vector>

#include "loadgen/play/load.h"
#include "loadgen/scheduler_perf/load/scheduler_perf_pods.h"
#include "loadgen/scheduler_perf/load/scheduler_perf_writer.h"
#include "loadgen/scheduler_perf/plan/scheduler_perf_plan.h"

namespace berth::loadgen::scheduler_perf {

inline constexpr Nanoseconds kSecond{1'000'000'000};

class PerfLoad : public Load {
 public:
  PerfLoad(Plan plan, std::string note);

  bool next(LoadStep& step) override;
  std::string note() const override { return note_; }

 private:
  // The operation at hand.
  struct Current {
    size_t index = 0;      // in the plan
    int64_t done = 0;      // of its objects
    bool begun = false;    // it was played before
    Nanoseconds began{0};  // planned time
  };

  // Which pods are part of the measurement.
  class Measurement {
   public:
    // At the start and the stop of collecting.
    void collect(bool on) {
      collecting_ = on;
      selected_came_ = false;
    }
    bool collects() const { return collecting_; }
    // True if pods of the operation at hand are: they are selected, or what selected pods wait for.
    bool counts(const PlanOp& op);

   private:
    bool collecting_ = false;
    bool selected_came_ = false;  // pods that are measured were created since collecting began
  };

  // A churn operation in progress.
  struct Churning {
    const PlanOp* op = nullptr;
    const Churn* churn = nullptr;
    int64_t ticks = 0;
    // Names of the existing objects, by template; "" means that there is none.
    std::vector<std::vector<std::string>> names;

    bool is_over() const;
  };
  // A deletePods operation in progress.
  struct Deletion {
    const PlanOp* op = nullptr;
    const DeletePods* pods = nullptr;
    std::vector<CreatedPods::Extent> runs;  // at the start of the deletion
    size_t run = 0;                         // index into `runs`
    int64_t pod = 0;

    bool is_over() const;
  };
  struct Timer {
    Nanoseconds due{0};
    Nanoseconds interval{0};
    std::variant<Churning, Deletion> work;
  };

  // The current operation. Requires: !at_end().
  const PlanOp& op() const { return plan_.ops[current_.index]; }
  bool at_end() const { return current_.index == plan_.ops.size(); }

  // Performs the timer's work in `step` and plans the next tick.
  void tick(Timer& timer, LoadStep& step);
  // `interval`: of the timer.
  void work(Churning& churning, Nanoseconds interval);
  void work(Deletion& deletion, Nanoseconds interval);
  bool delete_next(Deletion& deletion);  // false: no pod is left
  bool is_selected(const DeletePods& deletion, PodRun& run, int64_t pod);
  Timer* earliest();  // null: no timer runs

  void play(LoadStep& step);  // the current operation, or part of it
  void play(const CreateNodes& nodes, LoadStep& step);
  void play(const CreateNamespaces& spaces, LoadStep& step);
  void play(const CreatePods& pods, LoadStep& step);
  void play(const CreatePodSets& sets, LoadStep& step);
  void play(const DeletePods& pods, LoadStep& step);
  void play(const Churn& churn, LoadStep& step);
  void play(const CreateAny& objects, LoadStep& step);
  void play(const UpdateAny& objects, LoadStep& step);
  void play(const Barrier& barrier, LoadStep& step);
  void play(const Sleep& sleep, LoadStep& step);
  void play(const StartCollecting& start, LoadStep& step);
  void play(const StopCollecting& stop, LoadStep& step);
  void play(const Missing& missing, LoadStep& step);

  void advance();  // proceeds to the next operation
  // Proceeds to the next operation, which waits for the pods that were created.
  void advance_when_placed();
  // Until a timer is due or `until`, when the operation is over. `for_pods`: the next one waits for
  // the pods that were created.
  void wait(Nanoseconds until, bool for_pods);
  // The number of objects that are done at the end of a step in which no timer is due.
  int64_t end_of_step() const;
  void begin_run();  // starts the run of the current operation's pods
  void add_next_pod();
  void update_next(const UpdateAny& objects);
  Nanoseconds planned_of(int64_t pod) const;  // for the current operation

  Plan plan_;
  std::string note_;
  ObjectWriter objects_;
  CreatedPods created_;
  Current current_;
  Measurement measurement_;
  std::deque<Timer> timers_;
  Nanoseconds now_{0};
  bool awaits_pods_ = false;  // the next step does
};

}  // namespace berth::loadgen::scheduler_perf
