#include "tests/simulation/ways.h"

#include <algorithm>

#include "tests/properties/trace.h"

namespace berth::simulation {

runtime::SchedulerOptions scheduler_options(uint64_t seed, const Way& way) {
  runtime::SchedulerOptions options;
  options.decide.seed = seed;
  options.decide.forced_percentage = way.percentage;
  options.evaluation = way.evaluation;
  options.full = way.full;
  options.verify_every = way.verify_every;
  if (way.threads <= 1) return options;
  options.full.workers = &tests::workers(way.threads);
  options.full.parallel_from = options.full.grain = 64;
  options.full.measured = false;
  options.full.ahead_from = 1;
  return options;
}

std::string first_difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const auto at = [](const std::vector<std::string>& events, size_t i) {
    return i < events.size() ? events[i] : "(nothing)";
  };
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (at(a, i) != at(b, i))
      return "event " + std::to_string(i) + " is\n" + at(a, i) + "\nand\n" + at(b, i);
  return {};
}

}  // namespace berth::simulation
