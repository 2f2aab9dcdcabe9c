#include "tests/service_simulation/world/rates.h"

#include <chrono>

namespace berth::service_simulation {
namespace {

using std::chrono::milliseconds;

int rate(Dice& dice, int most) {
  return dice.chance(50) ? 0 : static_cast<int>(dice.number(1, most));
}

}  // namespace

Rates draw_rates(Dice& dice) {
  Rates rates;
  rates.elects = dice.chance(70);
  rates.processes = rates.elects && dice.chance(60) ? 2 : 1;
  rates.qps = dice.one_of<double>({0, 50, 50, 20, 10});
  rates.burst = dice.one_of<int>({100, 100, 10, 1});
  rates.bind_batch = dice.one_of<int>({0, 0, 1, 3});
  rates.network.least = milliseconds(dice.one_of<int64_t>({0, 1, 1}));
  rates.network.most = milliseconds(dice.one_of<int64_t>({1, 5, 50, 400}));
  rates.network.largest_part = dice.one_of<size_t>({300, 4000, 16384});
  rates.steps = static_cast<int>(dice.number(10, 60));
  rates.most_pause = dice.one_of<int>({200, 1500, 5000});
  rates.nodes = static_cast<int>(dice.number(1, 6));
  rates.first_pods = static_cast<int>(dice.number(0, 12));
  rates.many_kinds = dice.chance(50);
  rates.preemption = dice.chance(60);
  rates.weather_changes = rate(dice, 15);
  rates.slow_requests = dice.chance(50);
  rates.connections = rates.slow_requests ? 0 : rate(dice, 8);
  rates.crashes = rate(dice, 8);
  rates.pauses = rate(dice, 8);
  rates.ends = rate(dice, 6);
  rates.jumps = rate(dice, 10);
  rates.most_faults = dice.one_of<int>({0, 5, 20, 60});
  return rates;
}

}  // namespace berth::service_simulation
