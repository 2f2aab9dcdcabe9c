// Elections among processes that crash, stop and restart, over a network that delays and loses. At
// no time do two lead, and one leads after the trouble ends.

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "engine/base/draw.h"
#include "engine/kube/lease/process_testing.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using lease_test::Journey;
using lease_test::LeaseServer;
using lease_test::Machine;
using lease_test::Process;
using lease_test::World;

class Draws {
 public:
  explicit Draws(uint64_t seed) : state_(mix(seed + 1)) {}
  uint64_t below_number(uint64_t bound) { return below(mix(state_ += 0x9e3779b97f4a7c15u), bound); }
  bool one_in(uint64_t many) { return below_number(many) == 0; }
  Time up_to(Time most) { return Time(int64_t(below_number(uint64_t(most.count())))); }

 private:
  uint64_t state_;
};

class Election {
 public:
  static constexpr Time kTrouble = 300s, kCalm = 100s;

  explicit Election(uint64_t seed) : draws_(seed) {
    for (Seat& seat : seats_) start(seat);
    world_.at(0s, nullptr, [this] { tick(); });
  }

  // Returns how many leaders there were.
  size_t play() {
    world_.run(kTrouble + kCalm, [this] { count_leaders(); });
    EXPECT_NE(leader_, nullptr) << "nobody leads";
    return terms_;
  }

 private:
  struct Seat {
    explicit Seat(World& world) : machine(world) {}
    Machine machine;
    std::unique_ptr<Process> process;
    bool releases = false;
  };

  bool trouble() const { return world_.now() < kTrouble; }

  void start(Seat& seat) {
    ++last_;
    seat.process.reset();
    seat.releases = false;
    seat.process = std::make_unique<Process>(world_, seat.machine, server_,
                                             "p" + std::to_string(last_), last_);
    seat.process->wire.journey = [this](const Request&) { return journey(); };
  }

  Journey journey() {
    if (!trouble()) return {};
    const Time most = draws_.one_in(5) ? 6s : 50ms;
    return {.there = draws_.up_to(most),
            .back = draws_.up_to(most),
            .request_lost = draws_.one_in(20),
            .answer_lost = draws_.one_in(20)};
  }

  // Also asks who leads between what the processes do: they may be stopped.
  void tick() {
    world_.at(world_.now() + 100ms, nullptr, [this] { tick(); });
    for (Seat& seat : seats_) {
      if (seat.machine.stopped_until > world_.now()) continue;
      const auto& heard = seat.process->heard;
      const bool lost = !heard.empty() && heard.back().find("is lost") != std::string::npos;
      if (lost || (trouble() && draws_.one_in(600))) start(seat);
      if (trouble()) upset(seat);
    }
  }

  void upset(Seat& seat) {
    if (draws_.one_in(400)) seat.machine.stopped_until = world_.now() + draws_.up_to(40s);
    if (draws_.one_in(100)) seat.machine.wall_ahead = draws_.up_to(120s) - 60s;
    if (draws_.one_in(1000) && !std::exchange(seat.releases, true)) {
      seat.process->elector.release(2s, [this, &seat] {
        world_.at(world_.now(), &seat.machine, [this, &seat] { start(seat); });
      });
    }
  }

  void count_leaders() {
    const Process* leader = nullptr;
    for (const Seat& seat : seats_) {
      if (!seat.process->elector.leads()) continue;
      EXPECT_EQ(leader, nullptr) << "two lead at " << world_.now().count();
      leader = seat.process.get();
    }
    if (leader != nullptr && leader != leader_) ++terms_;
    leader_ = leader;
  }

  World world_;
  LeaseServer server_{world_};
  Draws draws_;
  std::array<Seat, 3> seats_{Seat(world_), Seat(world_), Seat(world_)};
  uint64_t last_ = 0;
  const Process* leader_ = nullptr;
  size_t terms_ = 0;
};

TEST(Elections, NeverHaveTwoLeaders) {
  size_t terms = 0;
  for (uint64_t seed = 1; seed <= 100 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    terms += Election(seed).play();
  }
  EXPECT_GT(terms, 500u);  // the trouble did make leaders change
}

}  // namespace
}  // namespace berth::kube
