#include "engine/drive/driver.h"

#include <algorithm>
#include <variant>

#include "engine/base/assert.h"

namespace berth::drive {
namespace {

// Pods that fail each time would be tried for ever. Longer than any pod waits in Permit, and in
// PreBind without a limit of its own.
constexpr Time kNothingComes = std::chrono::minutes(16);
constexpr Time kAfterWaits = std::chrono::minutes(1);
// Decisions while input waits: so many that input which always waits does not hold them up, and so
// few that it waits for less than a millisecond.
constexpr int kTriesBeforeInput = 64;

template <typename... Kinds>
bool is_any(const runtime::Report& report) {
  return (std::holds_alternative<Kinds>(report) || ...);
}

}  // namespace

Driver::Driver(runtime::Core& core, Program& program, Pace pace, DriverOptions options)
    : core_(core),
      program_(program),
      pace_(pace),
      options_(options),
      standstill_(options.max_unschedulable, kNothingComes) {}

void Driver::take(const runtime::Report& report) {
  if (is_any<runtime::Failed, runtime::BindingFailed>(report)) ++progress_.failures;
  if (!is_any<runtime::Bound, runtime::BoundByAnother, runtime::Evicted, runtime::Disrupted,
              runtime::Finished>(report))
    return;
  ++progress_.changes;
  progress_.changed_at = core_.now();
}

void Driver::run(WorkSource& source, const std::function<void(const Work&)>& take) {
  Work work;
  while (!program_.stopped()) {
    if (!next(source, work)) {
      input_ended_ = !program_.stopped();
      return play_out();
    }
    take(work);
    input_came();
    if (!pace_.wall()) drain();
  }
}

// False: the input ended, or the program stopped.
bool Driver::next(WorkSource& source, Work& work) {
  if (pace_.wall()) return wait_for(source, work);
  // Binds the assumed pods before this thread blocks on input, so that no pod waits for others.
  if (!source.ready()) {
    core_.publish();
    program_.rests();
  }
  return source.next(work);
}

// While no input arrives, what falls due happens at its time, and pods that back off are tried as
// soon as no pod is active, as kube-scheduler tries them.
bool Driver::wait_for(WorkSource& source, Work& work) {
  const auto ready = [&source] { return source.ready(); };
  while (!program_.stopped()) {
    const Time now = pace_.since_begin();
    const std::optional<Time> due = turn(now, ready);
    if (source.ready()) break;
    if (due == now) continue;
    const auto back = program_.rests();
    rest(source, due ? std::min(back, pace_.on_machine(*due)) : back);
  }
  const bool more = source.next(work);
  core_.advance_to(pace_.since_begin());
  return more;
}

// Input, time, and what threads of plugins say end the rest.
void Driver::rest(WorkSource& source, std::chrono::steady_clock::time_point until) {
  if (!core_.hears_threads()) return static_cast<void>(source.wait_until(until));
  while (!program_.stopped() && !core_.threads_said()) {
    const auto nap = std::min(until, std::chrono::steady_clock::now() + Pace::kNap);
    if (source.wait_until(nap) || nap == until) return;
  }
}

std::optional<Time> Driver::turn(Time now, const std::function<bool()>& input_waits) {
  core_.advance_to(now);
  const auto goes_on = [&](int tries) {
    if (program_.stopped() || !program_.may_decide()) return false;
    return input_waits() ? core_.has_active() && tries < kTriesBeforeInput : core_.has_work();
  };
  for (int tries = 0; goes_on(tries); ++tries) program_.decide();
  if (input_waits()) return now;
  core_.settle();  // bound pods may help others
  if (core_.has_work() && program_.may_decide()) return now;
  return core_.next_due();
}

void Driver::input_came() {
  standstill_.begin(core_.now(), core_.scheduler().decisions().count(), waiting(), standing());
}

bool Driver::stands_still() {
  if (progress_.changes != standstill_.changes()) input_came();
  const uint64_t decisions = core_.scheduler().decisions().count();
  return standstill_.due(core_.now(), decisions) && !core_.pods_leave() &&
         standstill_.reached(core_.now(), decisions, waiting(), standing(), core_.unfinished());
}

Standstill::Progress Driver::standing() const {
  return {.changes = progress_.changes,
          .moves = helpful_moves(core_.scheduler().queue()),
          .failures = progress_.failures};
}

size_t Driver::waiting() const {
  using queue::Place;
  const queue::SchedulingQueue& queue = core_.scheduler().queue();
  return queue.size(Place::kActive) + queue.size(Place::kBackoff) +
         queue.size(Place::kErrorBackoff) + queue.size(Place::kUnschedulable);
}

void Driver::drain() {
  while (core_.has_active() && !program_.stopped() && !stands_still()) program_.decide();
}

void Driver::pass_to(Time at) {
  BERTH_ASSERT(!pace_.wall());
  input_came();
  const auto goes_on = [&] { return !program_.stopped() && core_.now() < at; };
  const auto tries = [&] { return goes_on() && core_.has_work() && !stands_still(); };
  while (goes_on()) {
    while (tries()) program_.decide();
    core_.settle();
    if (!goes_on() || tries()) continue;
    const std::optional<Time> due = core_.next_due();
    core_.advance_to(due ? std::min(*due, at) : at);
    program_.time_passed();
  }
}

// Pods that fail each time would go on for ever, so the run ends when nothing came of it for a
// while.
void Driver::play_out() {
  const Time play_on_until = core_.now() + options_.play_on;
  const auto ends = [&] { return core_.now() >= play_on_until && stands_still(); };
  uint64_t changes = progress_.changes;
  Time last_change = core_.now();
  while (!program_.stopped()) {
    while (core_.has_work() && !program_.stopped() && !ends()) program_.decide();
    core_.settle();
    if (core_.has_work() && ends()) return;
    if (core_.has_work()) continue;
    if (progress_.changes != changes) {
      changes = progress_.changes;
      last_change = core_.now();
    }
    const std::optional<Time> due = core_.next_due();
    if (!due || !goes_on(*due, last_change, play_on_until)) return;
    const Time until = pace_.wall() ? std::min(*due, pace_.in_run(program_.rests())) : *due;
    core_.advance_to(pace_.pass_to(until, [this] { return core_.threads_said(); }));
    program_.time_passed();
  }
}

bool Driver::goes_on(Time due, Time last_change, Time play_on_until) const {
  if (core_.scheduler().queue().size(queue::Place::kUnschedulable) != 0 && due <= play_on_until)
    return true;
  if (!core_.unfinished()) return false;
  if (core_.pods_leave()) return options_.lets_pods_leave || wait_for_room();
  return due - last_change <=
         std::max(kNothingComes, core_.assembly().longest_pre_bind() + kAfterWaits);
}

// Precondition: no pod is active.
bool Driver::wait_for_room() const {
  BERTH_ASSERT(!core_.has_active());
  return waiting() != 0 || core_.scheduler().bindings().permits().size() != 0;
}

}  // namespace berth::drive
