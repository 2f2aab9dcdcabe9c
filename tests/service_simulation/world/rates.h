#pragma once

// What a seed draws about its world.

#include <cstdint>

#include "tests/apiserver/virtual/http.h"
#include "tests/properties/dice.h"

namespace berth::service_simulation {

using tests::Dice;

struct Rates {
  int processes = 1;
  bool elects = false;
  double qps = 0;
  int burst = 1;
  int bind_batch = 0;            // 0: the default
  apiserver::Network network{};  // of processes; without a seed

  int steps = 0;
  int most_pause = 0;  // between two steps, milliseconds
  int nodes = 0;
  int first_pods = 0;
  bool many_kinds = false;  // of pods: relations between them, volumes, gates
  bool preemption = false;

  // Of 100 steps.
  int weather_changes = 0, connections = 0, crashes = 0, pauses = 0, ends = 0, jumps = 0;
  // How bad the weather may be: percent of requests. Slow requests and broken connections do not
  // come together: a binding whose connection broke would be carried out later, which no scheduler
  // can know.
  int most_faults = 0;
  bool slow_requests = false;
};

Rates draw_rates(Dice& dice);

}  // namespace berth::service_simulation
