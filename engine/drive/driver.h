#pragma once

// The loop around a core: input is taken, pods are decided, time passes where nothing can be
// decided, and the run ends when nothing more comes of it. `berth run` and berth-bench are callers.
//
//   Driver driver(core, program, Pace(ClockKind::kVirtual), {});
//   driver.run(source, [&](const Work& work) { ... core.door().apply_work(...) ... });
//
// A run by the virtual clock is a function of its input: nothing here looks at the machine's clock
// then.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "engine/drive/pace.h"
#include "engine/drive/standstill.h"
#include "engine/drive/work_source.h"
#include "engine/runtime/core.h"

namespace berth::drive {

// The driver calls the program on its own thread.
class Program {
 public:
  virtual ~Program() = default;
  // True: the run ends now, because it was interrupted or has enough. Stays true.
  virtual bool stopped() = 0;
  // Makes the next decision of the core, at Driver::next_decision_at(). Precondition: a pod can be
  // tried.
  virtual void decide() = 0;
  // By the wall clock. False: pods wait for more input before they are tried, such as answers of a
  // server that has much to do.
  virtual bool may_decide() { return true; }
  // The clock moved to the next thing that fell due.
  virtual void time_passed() {}
  // All that can be done is done, and the thread is about to wait for input or for time. Returns
  // when it is to come back at the latest, which counts by the wall clock alone.
  virtual std::chrono::steady_clock::time_point rests() {
    return std::chrono::steady_clock::time_point::max();
  }
};

// Counts of the reports so far.
struct Progress {
  uint64_t changes = 0;   // pods that were bound or evicted, or ended
  Time changed_at{};      // the last of them; 0: none
  uint64_t failures = 0;  // attempts that failed, rather than refused a pod
};

struct DriverOptions {
  // See QueueOptions: an unschedulable pod is tried again when it waited for longer.
  Time max_unschedulable = queue::QueueOptions{}.max_unschedulable;
  // The time for which the run goes on after its input for pods that only wait for too long.
  Time play_on{};
  // True: the run goes on until all deleted pods have left. False: only while a pod waits for room.
  bool lets_pods_leave = true;
};

// One thread, which is that of the core.
class Driver {
 public:
  // Both outlive the driver.
  Driver(runtime::Core& core, Program& program, Pace pace, DriverOptions options = {});

  // To be called with each report of the core.
  void take(const runtime::Report& report);
  const Progress& progress() const { return progress_; }
  const Pace& pace() const { return pace_; }
  void begin() { pace_.begin(); }

  // Hands all that the source gives to `take`, decides the pods, and plays out. By the wall clock
  // input that is there is taken before more than a few pods are tried. Throws what the source,
  // `take` and the program throw.
  void run(WorkSource& source, const std::function<void(const Work&)>& take);
  // False: the program stopped before, or the source failed.
  bool input_ended() const { return input_ended_; }

  // By the virtual clock, called in `take`: lets time pass, and decides the pods that wait, until
  // the clock is there. No effect if it is later.
  void pass_to(Time at);

  // The parts of run(), for a caller whose input comes in another way.
  //
  // Pods arrived: more tries may come to something.
  void input_came();
  // True if more tries of the pods that wait come to nothing; see Standstill.
  bool stands_still();
  // Decides the active pods. More input arrives at this very moment as far as the virtual clock
  // tells, so pods that back off are not tried before their time: the decisions would depend on how
  // input was cut into batches.
  void drain();
  // The input ended, or waits for the pods: time goes on for those that back off, wait or leave.
  void play_out();
  // One turn by a clock of the caller's. Time passes to `now`, and pods are tried until none is
  // left to try, or `input_waits` is true and a few were tried. Returns when the next turn is due
  // if no input comes: at `now` if there is more to do, and nothing if only input changes anything.
  std::optional<Time> turn(Time now, const std::function<bool()>& input_waits);

  // The core's time of the next decision.
  Time next_decision_at() const { return pace_.of_decision(core_.now()); }
  // Pods in the queue that are tried now or later.
  size_t waiting() const;

 private:
  bool next(WorkSource& source, Work& work);
  bool wait_for(WorkSource& source, Work& work);
  void rest(WorkSource& source, std::chrono::steady_clock::time_point until);
  bool goes_on(Time due, Time last_change, Time play_on_until) const;
  bool wait_for_room() const;
  Standstill::Progress standing() const;

  runtime::Core& core_;
  Program& program_;
  Pace pace_;
  DriverOptions options_;
  Standstill standstill_;
  Progress progress_;
  bool input_ended_ = false;
};

}  // namespace berth::drive
