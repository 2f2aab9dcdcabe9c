#include "loadgen/play/play.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace berth::loadgen {
namespace {

class SystemClock final : public WallClock {
 public:
  Nanoseconds now() override { return std::chrono::steady_clock::now().time_since_epoch(); }

  void wait_until(Nanoseconds time, const std::function<bool()>& stop) override {
    constexpr Nanoseconds kAskEvery = std::chrono::milliseconds(50);
    for (Nanoseconds left = time - now(); left.count() > 0 && !stop(); left = time - now())
      std::this_thread::sleep_for(std::min(left, kAskEvery));
  }
};

class Player {
 public:
  Player(Load& load, const PlayOptions& options, WallClock& clock, LoadOutput& output,
         PlayReport& report)
      : load_(load), options_(options), clock_(clock), output_(output), report_(report) {}

  void run() {
    const Nanoseconds begin = clock_.now();
    try {
      steps();
    } catch (...) {
      report_.elapsed = clock_.now() - begin;
      throw;
    }
    report_.elapsed = clock_.now() - begin;
  }

 private:
  void steps() {
    bool more = load_.next(step_);
    output_.note(load_.note());
    bool scene = true;
    for (; more; more = load_.next(step_)) {
      scene = scene && step_.is_scene();
      if (options_.stop()) {
        report_.stopped = true;
        break;
      }
      if (options_.part == Part::kCluster && !scene) break;
      if (options_.duration && !scene && past_the_end()) break;
      if (scene && options_.part == Part::kPods) {
        output_.pass(step_);
      } else if (scene || !options_.pace) {
        deliver();
      } else if (!deliver_in_time()) {
        report_.stopped = true;
        break;
      }
    }
    output_.end();
  }

  bool past_the_end() {
    if (step_.at > *options_.duration) return true;
    return options_.pace && begin_ && clock_.now() - *begin_ > *options_.duration;
  }

  void deliver() {
    try {
      output_.write(step_);
    } catch (...) {
      count_lost();
      throw;
    }
    report_.planned = std::max(report_.planned, last_planned());
  }

  Nanoseconds last_planned() const {
    return step_.planned.empty() ? step_.at : step_.planned.back();
  }

  // The clock time at which something planned is due.
  Nanoseconds due(Nanoseconds planned) const {
    constexpr auto kMost = static_cast<double>(int64_t{1} << 62);  // 146 years
    const double scaled = static_cast<double>((planned - origin_).count()) / options_.speed;
    return *begin_ + Nanoseconds(static_cast<int64_t>(std::min(scaled, kMost)));
  }

  // False: the load is to stop.
  bool deliver_in_time() {
    if (!begin_) {
      begin_ = clock_.now();
      origin_ = step_.at;
    }
    if (!step_.closed_loop) clock_.wait_until(due(last_planned()), options_.stop);
    if (options_.stop()) return false;
    deliver();
    if (step_.closed_loop) return true;
    const Nanoseconds now = clock_.now();
    for (const Nanoseconds planned : step_.planned)
      report_.lateness.record(
          static_cast<uint64_t>(std::max(Nanoseconds(0), now - due(planned)).count()));
    return true;
  }

  // Counts the pods of the current step and those that have come due in the meantime.
  void count_lost() {
    report_.lost += step_.pods.size();
    if (!begin_) return;
    const Nanoseconds now = clock_.now();
    while (!options_.stop() && load_.next(step_) && !step_.closed_loop && due(step_.at) <= now)
      report_.lost += static_cast<uint64_t>(std::ranges::count_if(
          step_.planned, [&](Nanoseconds planned) { return due(planned) <= now; }));
  }

  Load& load_;
  const PlayOptions& options_;
  WallClock& clock_;
  LoadOutput& output_;
  PlayReport& report_;
  LoadStep step_;
  std::optional<Nanoseconds> begin_;  // start on the clock
  Nanoseconds origin_{0};             // planned time at begin_
};

}  // namespace

WallClock& system_clock() {
  static SystemClock clock;
  return clock;
}

void play(Load& load, const PlayOptions& options, WallClock& clock, LoadOutput& output,
          PlayReport& report) {
  Player(load, options, clock, output, report).run();
}

}  // namespace berth::loadgen
