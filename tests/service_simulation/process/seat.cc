#include "tests/service_simulation/process/seat.h"

#include <chrono>
#include <utility>

namespace berth::service_simulation {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Without a lease the next process has to come when all requests of the one before are handled:
// weather.cc has the slowest.
constexpr Time kLeastRest = seconds(5);
constexpr int64_t kMostRest = 15'000;  // milliseconds

}  // namespace

void Seat::start() {
  ProcessSettings settings;
  settings.name = name_ + std::to_string(++started_);
  settings.seed = dice_.next();
  settings.elects = rates_.elects;
  settings.qps = rates_.qps;
  settings.burst = rates_.burst;
  settings.most_under_way = dice_.one_of<size_t>({5000, 5000, 2});
  settings.bind_batch = static_cast<size_t>(rates_.bind_batch);
  settings.network = rates_.network;
  settings.network.seed = dice_.next();
  process_ = std::make_unique<Process>(
      Process::Surroundings{around_.world, around_.server, around_.trace, around_.marks,
                            around_.sent, [this] { end(); }},
      std::move(settings));
  process_->set_connected(connected_);
}

void Seat::end() {
  around_.world.after({}, [this, process = process_.get()] {
    if (process_.get() != process) return;
    process_.reset();
    start_again();
  });
}

void Seat::start_again() {
  const Time least = rates_.elects ? Time() : kLeastRest;
  around_.world.after(least + milliseconds(dice_.number(1, kMostRest)), [this] { start(); });
}

void Seat::kill() {
  if (process_ == nullptr) return;
  around_.marks.hit(Mark::kCrash);
  around_.trace.add(process_->name() + " is killed");
  process_.reset();
  start_again();
}

void Seat::terminate() {
  if (process_ == nullptr) return;
  around_.marks.hit(Mark::kTermination);
  process_->terminate();
}

void Seat::pause() {
  if (process_ == nullptr) return;
  around_.marks.hit(Mark::kPause);
  const int64_t time = dice_.number(1, dice_.one_of<int64_t>({2000, 40'000}));
  around_.trace.add(process_->name() + " is stopped for " + std::to_string(time) + " ms");
  process_->pause(milliseconds(time));
}

void Seat::jump() {
  if (process_ == nullptr) return;
  around_.marks.hit(Mark::kClockJump);
  process_->jump(seconds(dice_.one_of<int64_t>({60, -60, 1})));
}

void Seat::disconnect() {
  if (!connected_) return;
  connected_ = false;
  around_.marks.hit(Mark::kLostConnection);
  around_.trace.add(name_ + " has no connection");
  if (process_ != nullptr) process_->set_connected(false);
  around_.world.after(milliseconds(dice_.number(1, dice_.one_of<int64_t>({500, 25'000}))),
                      [this] { connect(); });
}

void Seat::connect() {
  if (connected_) return;
  connected_ = true;
  around_.trace.add(name_ + " has a connection again");
  if (process_ != nullptr) process_->set_connected(true);
}

}  // namespace berth::service_simulation
